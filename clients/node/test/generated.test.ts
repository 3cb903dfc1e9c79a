import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { generatedFiles } from '../../../scripts/node-client/generated-files.ts'
import { ENDPOINTS } from '../../../src/api/endpoints.ts'
import { Holdfast } from '../src/index.ts'

const FOLDER = fileURLToPath(new URL('../../', import.meta.url))

test('types, methods and commands are those of the document: npm run node-client writes them', async () => {
  // Line by line, so that what differs is shown.
  for (const [name, text] of Object.entries(await generatedFiles()))
    expect([name, ...readFileSync(`${FOLDER}${name}`, 'utf8').split('\n')]).toEqual([name, ...text.split('\n')])
})

describe('every endpoint', () => {
  const client = new Holdfast({ projectId: 'proj_1', secretKey: 'key_live_1', apiUrl: 'https://api.example' })
  const methods = ENDPOINTS.map(({ method }) => method).filter((method) => method !== null)

  test('has a method, but for files and what gateways post', () => {
    expect(new Set(methods).size).toBe(methods.length)
    expect(ENDPOINTS.filter(({ method }) => method === null).map(({ id }) => id)).toEqual([
      'receiveNotification',
      'exportTransactions',
      'exportOperations',
      'exportRefunds',
    ])
  })

  test.each(methods)('is client.%s', (name) => {
    const method = name.split('.').reduce<unknown>((inner, part) => (inner as Record<string, unknown>)[part], client)
    expect(method).toBeInstanceOf(Function)
  })
})
