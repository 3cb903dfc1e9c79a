import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Where programs keep on this machine what can be had again: `XDG_CACHE_HOME`, else the folder that the platform has for it.
 * Source: XDG Base Directory Specification 0.8; Apple's File System Programming Guide.
 */
export function machineCache(
  { XDG_CACHE_HOME: named }: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  // The specification has a relative path ignored.
  if (named?.startsWith('/')) return join(named, 'holdfast')
  return join(homedir(), platform === 'darwin' ? 'Library/Caches' : '.cache', 'holdfast')
}
