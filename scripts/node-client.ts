/** `npm run node-client`: writes what of the client for Node and of the command line is made from the document of the interface. */
import { writeFileSync } from 'node:fs'
import { generatedFiles } from './node-client/generated-files.ts'

for (const [file, text] of Object.entries(await generatedFiles())) {
  writeFileSync(new URL(`../clients/${file}`, import.meta.url), text)
  console.log(`clients/${file}`)
}
