import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './project-copy.ts'

/** A package as it is published: built, packed by npm, and installed into the empty folder of a program. */
export interface InstalledPackage {
  /** The folder of the program. */
  program: string
  /** Runs a command there; gives what it has printed. @throws Error where it ends with another code. */
  run(command: string, args: readonly string[], expectedStatus?: number): string
  remove(): void
}

/**
 * @param client its folder in `clients`.
 * @param build the script that builds it into a folder.
 */
export function installPackage(client: string, build: string): InstalledPackage {
  const folder = mkdtempSync(join(tmpdir(), `holdfast-${client}-package-`))
  const [built, program] = [join(folder, 'package'), join(folder, 'program')]
  const run = (command: string, args: readonly string[], { cwd = program, expectedStatus = 0 } = {}) => {
    // npm hands its settings on through the environment, also those of the command that runs this test.
    const env = { PATH: process.env.PATH, HOME: folder, npm_config_offline: 'true' }
    const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
    if (status !== expectedStatus)
      throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`)
    return stdout + (status === 0 ? '' : stderr)
  }
  for (const path of [built, program]) mkdirSync(path)
  for (const name of ['package.json', 'README.md', 'LICENSE'])
    cpSync(join(ROOT, 'clients', client, name), join(built, name))
  run(process.execPath, [join(ROOT, 'scripts', build), join(built, 'dist')], { cwd: ROOT })
  const tarball = run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: built })
  writeFileSync(join(program, 'package.json'), '{"name": "program", "version": "1.0.0"}')
  run('npm', ['install', '--no-audit', '--no-fund', join(folder, tarball.trim())])
  return {
    program,
    run: (command, args, expectedStatus = 0) => run(command, args, { expectedStatus }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
