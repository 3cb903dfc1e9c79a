/** `npm run docs:postman -- FILE`: writes a Postman collection of the whole interface, made from its document. */
import { writeFileSync } from 'node:fs'
import { interfaceDocument } from '../src/api/document.ts'
import { makeCollection } from './postman/make-collection.ts'
import { providePostmanTools } from './postman/provide-tools.ts'

const [file = 'holdfast.postman_collection.json'] = process.argv.slice(2)
const collection = await makeCollection(await providePostmanTools(), JSON.stringify(interfaceDocument()))
writeFileSync(file, `${JSON.stringify(collection, null, 2)}\n`)
console.log(`${file}: import it into Postman, and set projectId and secretKey.`)
