import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from '@jest/globals'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What is needed to build a client. */
const PARTS = ['domain', 'scripts/build-clients.mjs', 'scripts/clients', 'package.json', 'package-lock.json']

/** The project in another folder, with one of its clients, which was not built yet. */
export interface ProjectCopy {
  path(name: string): string
  /** Builds as `node scripts/build-clients.mjs` does; gives what is there then, by its inode, which a new file changes. */
  build(...args: string[]): Record<string, number>
  remove(): void
}

export function copyProject(client: string): ProjectCopy {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-build-'))
  const path = (name: string) => join(folder, name)
  for (const name of [client, ...PARTS]) cpSync(join(ROOT, name), path(name), { recursive: true })
  rmSync(path(`${client}/dist`), { recursive: true, force: true })
  symlinkSync(join(ROOT, 'node_modules'), path('node_modules'))
  return {
    path,
    build(...args) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [path('scripts/build-clients.mjs'), ...args])
      const said = stderr.toString().replaceAll(/^Building clients\/\w+ for browsers \.\.\.\n/gm, '')
      expect([status, stdout.toString(), said]).toEqual([0, '', ''])
      const dist = path(`${client}/dist`)
      return Object.fromEntries(readdirSync(dist).map((name) => [name, statSync(join(dist, name)).ino]))
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
