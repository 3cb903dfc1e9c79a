import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { cachedTools } from './cached-tools.ts'

/** The folder with the packages of a `package-lock.json` that are too large for every installation; see `cachedTools`. */
export function npmTools(name: string, lists: URL): Promise<string> {
  return cachedTools(name, readFileSync(new URL('package-lock.json', lists)), async (folder) => {
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(new URL(file, lists), `${folder}/${file}`)
    const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
    await promisify(execFile)('npm', options, { cwd: folder })
  })
}
