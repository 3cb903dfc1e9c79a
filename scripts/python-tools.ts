import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { cachedTools } from './cached-tools.ts'

const run = promisify(execFile)

/** The first Python that the lists of packages are made for. */
const PYTHON_MINOR_MIN = 11

/**
 * The Python of a virtual environment, made at the first use: every package of the list has its hash.
 *
 * @param requirements the path of the list.
 * @returns null on a machine without a Python for it.
 */
export async function pythonWith(name: string, requirements: string): Promise<string | null> {
  if (!(await hasPython())) return null
  const folder = await cachedTools(name, readFileSync(requirements), async (unfinished) => {
    // The pip that is there installs into it, and compiles nothing: Python compiles the few modules that a program loads.
    await run('python3', ['-m', 'venv', '--without-pip', unfinished])
    const pip = ['-m', 'pip', '--python', `${unfinished}/bin/python`, 'install', '--quiet', '--no-compile']
    const exactly = ['--disable-pip-version-check', '--only-binary=:all:', '--require-hashes', '-r', requirements]
    await run('python3', [...pip, ...exactly])
  })
  return `${folder}/bin/python`
}

async function hasPython(): Promise<boolean> {
  const code = `import pip, sys, venv; sys.exit(sys.version_info < (3, ${PYTHON_MINOR_MIN}))`
  return run('python3', ['-c', code]).then(
    () => true,
    () => false,
  )
}
