import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { makeStack, type Stack } from '../../../test/support/stack.ts'
import { ConnectionError, type Holdfast } from '../src/index.ts'
import { createCheckedClient } from './checked-client.ts'
import { type LosingProxy, startLosingProxy } from './losing-proxy.ts'

/** The service has done its work, and its answer is lost: no retry of the client does the work a second time. */

let stack: Stack
let proxy: LosingProxy
let client: Holdfast

beforeAll(async () => {
  stack = await makeStack({ mode: 'together' })
  proxy = await startLosingProxy(stack.baseUrl)
  client = createCheckedClient({ baseUrl: proxy.url, project: stack.project })
})
afterAll(async () => {
  await proxy.stop()
  await stack.stop()
})
beforeEach(() => {
  proxy.passed.length = 0
})

/** What the gateway has been asked for on this invoice. */
const asked = async (invoiceId: string) => (await stack.gatewayRequests(invoiceId)).map(({ type }) => type)

/** Every request that was sent again had the key of the first one. */
function expectOneKey(sent: number): void {
  const keys = proxy.passed.map(({ key }) => key)
  expect(keys).toHaveLength(sent)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toEqual(expect.any(String))
}

describe('an answer that is lost after the work was done', () => {
  test.each<[string, (invoiceId: string) => Promise<unknown>, string, object]>([
    [
      'capture of a part',
      (id) => client.invoices.capture(id, { capture_amount: '5.00', capture_type: 'non-final' }),
      'capture',
      { captured_amount: '10.00' },
    ],
    [
      'increment',
      (id) => client.invoices.incrementAuthorization(id, { amount: '5.00' }),
      'increment_authorization',
      { authorized_amount: '34.00' },
    ],
    ['void of a part', (id) => client.invoices.void(id, { amount: '5.00' }), 'void', { voided_amount: '5.00' }],
  ])('is asked for again, and the %s is made once', async (_, act, kind, amounts) => {
    const { invoiceId, transaction } = await stack.payInvoice({ authorize: { incremental: true } })
    if (kind === 'capture')
      await client.invoices.capture(invoiceId, { capture_amount: '5.00', capture_type: 'non-final' })
    proxy.passed.length = 0
    const before = (await asked(invoiceId)).filter((one) => one === kind).length
    proxy.loseNext(2)
    expect(await act(invoiceId)).toMatchObject({ outcome: 'success', transaction: amounts })
    expectOneKey(3)
    expect((await asked(invoiceId)).filter((one) => one === kind)).toHaveLength(before + 1)
    expect(await client.transactions.retrieve(transaction.id)).toMatchObject(amounts)
  })

  test('is the kept one of a payment: the customer is charged once', async () => {
    const [{ id }, { id: source }] = await Promise.all([stack.createInvoice(), stack.createCard()])
    proxy.loseNext(1)
    const answer = await client.invoices.capture(id, { source })
    expect(answer).toMatchObject({ outcome: 'success', transaction: { captured_amount: '29.00' } })
    expect(answer.lastResponse.isReplayed).toBe(true)
    expectOneKey(2)
    expect(await asked(id)).toEqual(['authorization', 'capture'])
  })

  test('can be asked for by the program with the key of the error: the refund is made once', async () => {
    const { invoiceId, transaction } = await stack.payInvoice({ authorize: { authorize_only: false } })
    proxy.loseNext(2)
    const refund = (idempotencyKey?: string) =>
      client.invoices.refund(invoiceId, { amount: '5.00' }, { idempotencyKey, maxRetries: 1 })
    const error: unknown = await refund().catch((reason: unknown) => reason)
    if (!(error instanceof ConnectionError)) throw error
    expect(error.idempotencyKey).toBe(proxy.passed[0]?.key)
    const made = await refund(String(error.idempotencyKey))
    expect(made).toMatchObject({ outcome: 'success', refund: { amount: '5.00' } })
    expectOneKey(3)
    expect(await client.transactions.retrieve(transaction.id)).toMatchObject({ refunded_amount: '5.00' })
    expect((await asked(invoiceId)).filter((kind) => kind === 'refund')).toHaveLength(1)
  })

  test('of a decline is the decline: the bank is not asked again', async () => {
    const [{ id }, { id: source }] = await Promise.all([
      stack.createInvoice(),
      stack.createCard({ number: '4000000000002180' }),
    ])
    proxy.loseNext(1)
    await expect(client.invoices.authorize(id, { source })).rejects.toMatchObject({ code: 'card.do-not-honor' })
    expectOneKey(2)
    expect(await asked(id)).toEqual(['authorization'])
  })
})
