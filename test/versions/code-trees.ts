import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SERVICE_ROOMS } from '../../src/temporal/build-id.ts'
import { PROJECT } from '../support/import-graph.ts'
import { readRelease } from './release.ts'

/** The code of a service in a folder of its own, beside the packages that are installed here. */
export interface CodeTree {
  root: string
  remove(): void
}

/** The release before this one, as `npm run record-release` has kept it. */
export function plantRelease(): CodeTree {
  return plant((root) => {
    for (const [path, text] of Object.entries(readRelease().files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
  })
}

export interface Change {
  file: string
  from: string
  to: string
}

/** This code with some changes, and some files more, by their paths. */
export function plantChanged(changes: readonly Change[], more: Readonly<Record<string, string>> = {}): CodeTree {
  return plant((root) => {
    for (const part of [...SERVICE_ROOMS, 'package.json', 'package-lock.json'])
      cpSync(join(PROJECT, part), join(root, part), { recursive: true })
    for (const { file, from, to } of changes) {
      const text = readFileSync(join(root, file), 'utf8')
      if (!text.includes(from)) throw new Error(`${file} has no "${from}" to be changed.`)
      writeFileSync(join(root, file), text.replace(from, to))
    }
    for (const [path, text] of Object.entries(more)) writeFileSync(join(root, path), text)
  })
}

function plant(write: (root: string) => void): CodeTree {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-version-'))
  write(root)
  // What browsers load is asked for by nobody here.
  symlinkSync(join(PROJECT, 'clients'), join(root, 'clients'), 'dir')
  // Package by package, since the cache of workflow bundles in node_modules is for one tree.
  mkdirSync(join(root, 'node_modules'))
  for (const name of readdirSync(join(PROJECT, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(PROJECT, 'node_modules', name), join(root, 'node_modules', name))
  return { root, remove: () => existsSync(root) && rmSync(root, { recursive: true, force: true }) }
}
