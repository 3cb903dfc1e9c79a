/** `npm run node-client`: writes the types and methods of the client for Node, which are made from the document of the interface. */
import { writeFileSync } from 'node:fs'
import { generatedFiles } from './node-client/generated-files.ts'

for (const [file, text] of Object.entries(await generatedFiles())) {
  writeFileSync(new URL(`../clients/node/src/generated/${file}`, import.meta.url), text)
  console.log(`clients/node/src/generated/${file}`)
}
