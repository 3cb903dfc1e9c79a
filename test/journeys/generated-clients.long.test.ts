import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { interfaceDocument } from '../../src/api/document.ts'
import { saySkipped } from '../gateways/skipped.ts'
import { folderForFile } from '../support/for-file.ts'
import { GENERATORS } from '../support/generated-clients/generators.ts'
import { stackForFile } from '../support/stack-for-file.ts'

describe('a client that others generate from the document', () => {
  const stack = stackForFile({ mode: 'together' })
  const folder = folderForFile()

  describe.each(GENERATORS)('$name', ({ name, problem, pay }) => {
    const why = problem()
    if (why !== null) saySkipped(`the client that ${name} generates`, why)
    const testOrSkip = why === null ? test : test.skip

    testOrSkip('compiles, and creates, authorizes, captures, refunds, and lists the events', async () => {
      const own = join(folder, name.replaceAll(/\W/g, '-'))
      await mkdir(own)
      const { id, secretKey } = stack.project
      const printed = await pay(own, interfaceDocument(), {
        HOLDFAST_URL: stack.baseUrl,
        HOLDFAST_PROJECT_ID: `test-${id}`,
        HOLDFAST_SECRET_KEY: secretKey,
      })
      expect(JSON.parse(printed.split('\n').find((line) => line.startsWith('{')) ?? '')).toEqual({
        authorized: 'authorized',
        captured: '29.00',
        refunded: '9.00',
        events: [
          'transaction.requested',
          'transaction.authorized',
          'transaction.captured',
          'invoice.completed',
          'transaction.refunded',
        ],
      })
    })
  })
})
