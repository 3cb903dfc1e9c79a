/** Makes the document of the interface, its page and what that searches in a thread of its own: half a second, in which nobody should wait. */
import { parentPort } from 'node:worker_threads'
import { interfaceDocument } from '../../api/document.ts'
import { inService, searchablePages, shownPages } from '../shown-pages.ts'
import { referencePage } from './reference-page.ts'

const document = interfaceDocument()
parentPort?.postMessage({
  document: JSON.stringify(document),
  page: referencePage(document, shownPages(), inService),
  search: JSON.stringify(searchablePages(inService)),
})
