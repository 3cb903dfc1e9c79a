import { interfaceDocument } from './document.ts'
import { browserObjectsFile, reactNativeObjectsFile } from './objects-files.ts'
import { operationsFile } from './operations-file.ts'
import { resourcesFile } from './resources-file.ts'
import { schemasFile } from './schemas-file.ts'

/** What is made from the document of the interface, by its path in `clients`. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const document = interfaceDocument()
  return {
    'node/src/generated/resources.ts': resourcesFile(document),
    'node/src/generated/schemas.ts': await schemasFile(document),
    'node/src/generated/api-version.ts': `// Made by \`npm run node-client\`.\n\nexport const API_VERSION = '${document.info.version}'\n`,
    'browser/src/generated/objects.ts': await browserObjectsFile(document),
    'react-native/src/generated/objects.ts': await reactNativeObjectsFile(document),
    'cli/src/generated/operations.ts': operationsFile(document),
  }
}
