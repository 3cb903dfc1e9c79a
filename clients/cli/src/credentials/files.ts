import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { CannotError } from '../failures.ts'
import type { Io } from '../io.ts'

/** Where the command line keeps what it is to remember. Source: the XDG Base Directory Specification. */
function pathOf({ env }: Io, name: string): string {
  const { XDG_CONFIG_HOME: given = '', HOME = homedir() } = env
  // The specification wants a relative one to be ignored.
  return join(isAbsolute(given) ? given : join(HOME, '.config'), 'holdfast', name)
}

/**
 * @returns undefined where there is no such file.
 * @throws CannotError where it holds something else than an object in JSON.
 */
export async function readKept(io: Io, name: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const path = pathOf(io, name)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new CannotError(`${path} cannot be read: ${error.message}`)
  })
  if (text === undefined) return undefined
  const value = parsed(text)
  if (typeof value !== 'object' || value === null) throw new CannotError(`${path} is damaged: remove it.`)
  return value as Record<string, unknown>
}

/** Only its owner may read the file, from its first byte on; whoever reads meanwhile sees the old one or the new one. */
export async function keep(io: Io, name: string, value: object): Promise<string> {
  const path = pathOf(io, name)
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  const written = `${path}.${process.pid}`
  await writeFile(written, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  await rename(written, path)
  return path
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
