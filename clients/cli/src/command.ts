import { existsSync, realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join, relative, sep } from 'node:path'

interface Called {
  env: Readonly<Record<string, string | undefined>>
  /** The program that Node was given, as an absolute path. */
  script: string
  folder: string
}

/**
 * How the command line is called where it runs, for hints that can be pasted there. A package named `holdfast` on the
 * registry is a stranger's: npx is told to fetch none, and with `--` that options behind the name are not its own.
 */
export function commandOf({ env, script, folder }: Called): string {
  // npm has put folders on the path that the shell has not. It keeps what npx has fetched in a folder of this name.
  if (env.npm_command !== undefined)
    return realpathSync(script).includes(`${sep}_npx${sep}`) ? 'npx @holdfast/cli' : 'npx --no -- holdfast'
  if (isOnPath(env.PATH ?? env.Path ?? '', script)) return 'holdfast'
  const path = relative(folder, script)
  const shown = path.startsWith('..') || isAbsolute(path) ? script : path
  return `node ${/^[\w@.:/\\+-]+$/.test(shown) ? shown : `"${shown}"`}`
}

/** Whether the shell finds this program by its name, and no other one before it. */
function isOnPath(path: string, script: string): boolean {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder))
  // On Windows npm writes a program that calls this one.
  const found = ['holdfast', 'holdfast.cmd']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find(existsSync)
  return found !== undefined && (found.endsWith('.cmd') || realpathSync(found) === realpathSync(script))
}
