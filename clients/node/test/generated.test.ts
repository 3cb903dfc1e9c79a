import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { interfaceDocument } from '../../../scripts/node-client/document.ts'
import { generatedFiles } from '../../../scripts/node-client/generated-files.ts'
import { METHODS, NOT_OFFERED } from '../../../scripts/node-client/methods.ts'
import { Holdfast } from '../src/index.ts'

const FOLDER = fileURLToPath(new URL('../../', import.meta.url))

test('types, methods and commands are those of the document: npm run node-client writes them', async () => {
  for (const [name, text] of Object.entries(await generatedFiles()))
    expect([name, readFileSync(`${FOLDER}${name}`, 'utf8') === text]).toEqual([name, true])
})

describe('every operation of the document', () => {
  const operations = Object.values(interfaceDocument().paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  const client = new Holdfast({ projectId: 'proj_1', secretKey: 'key_live_1', apiUrl: 'https://api.example' })

  test('has a method, or a reason for none', () => {
    expect(operations.length).toBeGreaterThan(70)
    expect([...Object.keys(METHODS), ...Object.keys(NOT_OFFERED)].toSorted()).toEqual(operations.toSorted())
    expect(Object.keys(NOT_OFFERED)).toEqual([
      'exportTransactions',
      'exportOperations',
      'exportRefunds',
      'receiveNotification',
    ])
  })

  test.each(Object.entries(METHODS))('%s is client.%s', (_, name) => {
    const method = name.split('.').reduce<unknown>((inner, part) => (inner as Record<string, unknown>)[part], client)
    expect(method).toBeInstanceOf(Function)
  })
})
