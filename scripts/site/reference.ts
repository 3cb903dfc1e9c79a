import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { REFERENCE_PAGE, REFERENCE_SCRIPT, REFERENCE_STYLE } from '../../src/pages/reference-page.ts'
import { interfaceDocument } from '../node-client/document.ts'

/** Writes the reference of the interface as files: the page that a running service has at `/docs`. */
export function writeReference(folder: string): void {
  mkdirSync(join(folder, 'docs'), { recursive: true })
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(interfaceDocument()))
  writeFileSync(join(folder, 'reference.html'), REFERENCE_PAGE)
  writeFileSync(join(folder, 'docs/reference.js'), REFERENCE_SCRIPT)
  writeFileSync(join(folder, 'docs/reference.css'), REFERENCE_STYLE)
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css'])
    copyFileSync(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)), join(folder, 'docs', name))
}
