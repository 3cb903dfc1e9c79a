/** Makes the document of the interface in a thread of its own: it takes a third of a second, in which nobody should wait. */
import { parentPort } from 'node:worker_threads'
import { interfaceDocument } from './document.ts'

parentPort?.postMessage(JSON.stringify(interfaceDocument()))
