import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { cachedTools } from './cached-tools.ts'

const run = promisify(execFile)

/** The first Python that the lists of packages are made for. */
const PYTHON_MINOR_MIN = 11
const INSTALL_TIMEOUT_MS = 300_000

/**
 * The Python of a virtual environment, made at the first use: every package of the list has its hash.
 *
 * @param requirements the path of the list.
 * @returns null on a machine without a Python for it.
 */
export async function pythonWith(name: string, requirements: string): Promise<string | null> {
  if (!(await hasPython())) return null
  const folder = await cachedTools(name, readFileSync(requirements), async (unfinished) => {
    await run('python3', ['-m', 'venv', unfinished])
    const options = ['--quiet', '--disable-pip-version-check', '--only-binary=:all:', '--require-hashes']
    const command = ['-m', 'pip', 'install', ...options, '-r', requirements]
    await run(`${unfinished}/bin/python`, command, { timeout: INSTALL_TIMEOUT_MS })
  })
  return `${folder}/bin/python`
}

async function hasPython(): Promise<boolean> {
  const code = `import sys, venv; sys.exit(sys.version_info < (3, ${PYTHON_MINOR_MIN}))`
  return run('python3', ['-c', code]).then(
    () => true,
    () => false,
  )
}
