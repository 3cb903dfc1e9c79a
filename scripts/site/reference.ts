import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { REFERENCE_FILES } from '../../src/pages/reference/files.ts'
import { referencePage } from '../../src/pages/reference/reference-page.ts'
import { interfaceDocument } from '../node-client/document.ts'

const FILES = new URL('../../src/pages/reference/', import.meta.url)

/** Writes the reference of the interface as files: the page that a running service has at `/docs`. */
export function writeReference(folder: string): void {
  mkdirSync(join(folder, 'docs'), { recursive: true })
  const document = interfaceDocument()
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  writeFileSync(join(folder, 'reference.html'), referencePage(document))
  for (const { name } of REFERENCE_FILES) copyFileSync(fileURLToPath(new URL(name, FILES)), join(folder, 'docs', name))
}
