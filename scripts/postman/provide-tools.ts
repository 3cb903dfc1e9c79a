import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { cachedTools } from '../cached-tools.ts'

const LISTS = new URL('tools/', import.meta.url)
const LOCK = new URL('package-lock.json', LISTS)
const INSTALL_TIMEOUT_MS = 300_000

/** The folder with Postman's converter and runner. */
export function providePostmanTools(): Promise<string> {
  return cachedTools('postman', readFileSync(LOCK), async (folder) => {
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(new URL(file, LISTS), `${folder}/${file}`)
    const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
    await promisify(execFile)('npm', options, { cwd: folder, timeout: INSTALL_TIMEOUT_MS })
  })
}
