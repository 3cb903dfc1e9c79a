import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { stackForFile } from '../../../test/support/stack-for-file.ts'
import { ConnectionError, Holdfast } from '../src/index.ts'

/** The service has done its work, and its answer is lost: no retry of the client does the work a second time. */

const stack = stackForFile()
/** The idempotency key of each request. */
let keys: (string | null)[]
/** So many of the next answers never come. */
let toLose = 0
let client: Holdfast

beforeAll(() => {
  client = new Holdfast({
    projectId: `test-${stack.project.id}`,
    secretKey: stack.project.secretKey,
    apiUrl: stack.baseUrl,
    async fetch(input, init) {
      const response = await fetch(input, init)
      keys.push(new Headers(init?.headers).get('idempotency-key'))
      if (toLose === 0) return response
      toLose -= 1
      throw new TypeError('The connection was lost.')
    },
  })
})
beforeEach(() => {
  keys = []
})

/** What the gateway has been asked for on this invoice. */
const asked = async (invoiceId: string) => (await stack.gatewayRequests(invoiceId)).map(({ type }) => type)

/** Every request that was sent again had the key of the first one. */
function expectOneKey(sent: number): void {
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
    keys = []
    const before = (await asked(invoiceId)).filter((one) => one === kind).length
    toLose = 2
    expect(await act(invoiceId)).toMatchObject({ outcome: 'success', transaction: amounts })
    expectOneKey(3)
    expect((await asked(invoiceId)).filter((one) => one === kind)).toHaveLength(before + 1)
    expect(await client.transactions.retrieve(transaction.id)).toMatchObject(amounts)
  })

  test('is the kept one of a payment: the customer is charged once', async () => {
    const [{ id }, { id: source }] = await Promise.all([stack.createInvoice(), stack.createCard()])
    toLose = 1
    const answer = await client.invoices.capture(id, { source })
    expect(answer).toMatchObject({ outcome: 'success', transaction: { captured_amount: '29.00' } })
    expect(answer.lastResponse.isReplayed).toBe(true)
    expectOneKey(2)
    expect(await asked(id)).toEqual(['authorization', 'capture'])
  })

  test('can be asked for by the program with the key of the error: the refund is made once', async () => {
    const { invoiceId, transaction } = await stack.payInvoice({ authorize: { authorize_only: false } })
    toLose = 2
    const refund = (idempotencyKey?: string) =>
      client.invoices.refund(invoiceId, { amount: '5.00' }, { idempotencyKey, maxRetries: 1 })
    const error: unknown = await refund().catch((reason: unknown) => reason)
    if (!(error instanceof ConnectionError)) throw error
    expect(error.idempotencyKey).toBe(keys[0])
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
    toLose = 1
    await expect(client.invoices.authorize(id, { source })).rejects.toMatchObject({ code: 'card.do-not-honor' })
    expectOneKey(2)
    expect(await asked(id)).toEqual(['authorization'])
  })
})
