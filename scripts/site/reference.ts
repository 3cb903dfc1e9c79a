import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { REFERENCE_FILES } from '../../src/pages/reference/files.ts'
import { referencePage } from '../../src/pages/reference/reference-page.ts'
import { searchablePages, shownPages } from '../../src/pages/shown-pages.ts'
import { interfaceDocument } from '../node-client/document.ts'
import { sitePathOf } from './pages.ts'

const FILES = new URL('../../src/pages/reference/', import.meta.url)

/** Writes the reference of the interface as files: the page that a running service has at `/docs`. */
export function writeReference(folder: string): void {
  mkdirSync(join(folder, 'docs'), { recursive: true })
  const document = interfaceDocument()
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  const hrefOf = ({ source }: { source: string }) => sitePathOf(source).replace(/\.md$/, '.html')
  writeFileSync(join(folder, 'reference.html'), referencePage(document, shownPages(), hrefOf))
  writeFileSync(join(folder, 'docs/pages.json'), JSON.stringify(searchablePages(hrefOf)))
  for (const { name } of REFERENCE_FILES) copyFileSync(fileURLToPath(new URL(name, FILES)), join(folder, 'docs', name))
}
