/** Makes the document of the interface and its page in a thread of its own: half a second, in which nobody should wait. */
import { parentPort } from 'node:worker_threads'
import { interfaceDocument } from '../../api/document.ts'
import { referencePage } from './reference-page.ts'

const document = interfaceDocument()
parentPort?.postMessage({ document: JSON.stringify(document), page: referencePage(document) })
