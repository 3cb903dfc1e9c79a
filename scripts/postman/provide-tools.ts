import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const LISTS = new URL('tools/', import.meta.url)
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/holdfast/', import.meta.url))
const INSTALL_TIMEOUT_MS = 300_000

/**
 * The folder with Postman's converter and runner, installed at the first use: their trees are three times as large as
 * everything else that the tests need, so they are not part of every installation.
 */
export async function providePostmanTools(): Promise<string> {
  const lock = readFileSync(new URL('package-lock.json', LISTS))
  const folder = `${CACHE}postman-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`
  if (existsSync(folder)) return folder
  // Made beside its place and moved there, so that an interrupted installation is not taken for a whole one.
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(new URL(file, LISTS), `${unfinished}/${file}`)
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', options, { cwd: unfinished, timeout: INSTALL_TIMEOUT_MS })
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  return folder
}
