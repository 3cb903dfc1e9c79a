/** `npm run node-client`: writes what of the client for Node and of the command line is made from the document of the interface. */
import { writeFileSync } from 'node:fs'
import { runWithoutOptions } from '../src/processes/command-line.ts'
import { generatedFiles } from './node-client/generated-files.ts'

process.exitCode = await runWithoutOptions({
  name: 'node-client',
  about: 'Writes what of the client for Node and of the command line is made from the document of the interface.',
  async run() {
    for (const [file, text] of Object.entries(await generatedFiles())) {
      writeFileSync(new URL(`../clients/${file}`, import.meta.url), text)
      console.log(`clients/${file}`)
    }
  },
})
