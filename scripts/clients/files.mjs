/** Files that browsers load: their names, their hashes, and how they come into a folder that others read meanwhile. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Versions from the end of 2022 on. */
export const BROWSERS = ['chrome108', 'edge108', 'firefox108', 'safari15.4', 'ios15.4']

const HASHED = /\.[0-9a-f]{16}\.(js|mjs|css)$/

export function hashedName(name, text) {
  const [, stem, ending] = /^(.*)\.(\w+)$/.exec(name)
  return `${stem}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${ending}`
}

export function integrityOf(text) {
  return `sha384-${createHash('sha384').update(text).digest('base64')}`
}

/** Each file appears whole, and the last one last, since two commands may be started at once. Hashed files of before go. */
export function writeFiles(folder, files) {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of files) {
    const half = join(folder, `.${name}.${process.pid}`)
    writeFileSync(half, text)
    renameSync(half, join(folder, name))
  }
  for (const name of readdirSync(folder))
    if (HASHED.test(name) && !files.has(name)) rmSync(join(folder, name), { force: true })
}
