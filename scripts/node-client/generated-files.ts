import { interfaceDocument } from './document.ts'
import { resourcesFile } from './resources-file.ts'
import { schemasFile } from './schemas-file.ts'

/** What is made from the document of the interface, by its name. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const document = interfaceDocument()
  return {
    'resources.ts': resourcesFile(document),
    'schemas.ts': await schemasFile(document),
    'api-version.ts': `// Made by \`npm run node-client\`.\n\nexport const API_VERSION = '${document.info.version}'\n`,
  }
}
