import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { TEST_CARD } from '../support/card-data.ts'
import { forFile } from '../support/for-file.ts'
import { createHttpClient } from '../support/http-client.ts'
import { stackForFile } from '../support/stack-for-file.ts'

const CARD = { number: TEST_CARD.number, exp_month: '12', exp_year: '2030', cvc2: TEST_CARD.cvc }

describe('a page of the merchant', () => {
  const stack = stackForFile()
  const client = forFile(async () =>
    createHttpClient(stack.baseUrl, { username: `test-${stack.project.id}`, password: '' }),
  )

  const newCard = async () => String((await client.post('/cards', CARD)).body.card.id)

  test('that pays in two tabs is told in both how the payment stands, whenever the second one pays', async () => {
    for (const afterMs of [0, 30, 90, 200]) {
      const { id } = await stack.createInvoice()
      const pay = (source: string) => client.post(`/invoices/${id}/capture`, { source, authorize_only: false })
      const [first, second] = [await newCard(), await newCard()]
      const answers = await Promise.all([pay(first), sleep(afterMs).then(() => pay(second))])
      for (const answer of answers)
        expect(answer).toMatchObject({ status: 200, body: { transaction: { status: 'completed' } } })
      expect((await stack.gatewayRequests(id)).map(({ type }) => type)).toEqual(['authorization', 'capture'])
    }
  })
})
