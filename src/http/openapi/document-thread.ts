/** Makes the document of the interface in a thread of its own: it takes a third of a second, in which nobody should wait. */
import { parentPort, workerData } from 'node:worker_threads'
import type { EndpointAccess } from '../route-access.ts'
import { openApiDocument } from './document.ts'

parentPort?.postMessage(JSON.stringify(openApiDocument(workerData as readonly EndpointAccess[])))
