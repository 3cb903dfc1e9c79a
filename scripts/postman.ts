/** `npm run docs:postman -- FILE`: writes a Postman collection of the whole interface, made from its document. */
import { writeFileSync } from 'node:fs'
import { interfaceDocument } from '../src/api/document.ts'
import { createProgram, runProgram, TERMINAL } from '../src/processes/command-line.ts'
import { makeCollection } from './postman/make-collection.ts'
import { providePostmanTools } from './postman/provide-tools.ts'

const program = createProgram('docs:postman', TERMINAL)
  .description('Writes a Postman collection of the whole interface.')
  .argument('[file]', 'where to', 'holdfast.postman_collection.json')
  .action(async (file: string) => {
    const collection = await makeCollection(await providePostmanTools(), JSON.stringify(interfaceDocument()))
    writeFileSync(file, `${JSON.stringify(collection, null, 2)}\n`)
    console.log(`${file}: import it into Postman, and set projectId and secretKey.`)
  })
process.exitCode = await runProgram(program, process.argv.slice(2), TERMINAL)
