/** `npm run docs:postman -- FILE`: writes a Postman collection of the whole interface, made from its document. */
import { writeFileSync } from 'node:fs'
import { routesOf } from '../src/http/app.ts'
import type { AppDeps } from '../src/http/dependencies.ts'
import { openApiDocument } from '../src/http/openapi/document.ts'
import { accessesOf } from '../src/http/route-access.ts'
import { makeCollection } from './postman/make-collection.ts'
import { providePostmanTools } from './postman/provide-tools.ts'

const [file = 'holdfast.postman_collection.json'] = process.argv.slice(2)
const document = JSON.stringify(openApiDocument(accessesOf(routesOf({} as AppDeps))))
const collection = await makeCollection(await providePostmanTools(), document)
writeFileSync(file, `${JSON.stringify(collection, null, 2)}\n`)
console.log(`${file}: import it into Postman, and set projectId and secretKey.`)
