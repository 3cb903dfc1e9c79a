import { beforeAll, describe, expect, test } from '@jest/globals'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory } from '../support/story.ts'
import { createKeyedClient, type KeyedPost, replayed } from './idempotency-client.ts'
import { apiRoutes, movesMoney } from './routes.ts'

const stack = stackForFile()
const story = createStory(stack)
let post: KeyedPost
let count = 0

beforeAll(async () => {
  post = createKeyedClient(stack.baseUrl, { projectId: `test-${stack.project.id}`, secretKey: stack.project.secretKey })
})

interface Begun {
  invoiceId: string
  transactionId: string
  source: string
}

/** A payment as far as the endpoint needs it. */
async function begin(stage: 'unpaid' | 'authorized' | 'captured'): Promise<Begun> {
  if (stage === 'unpaid') {
    const [{ id: invoiceId }, { id: source }] = await Promise.all([stack.createInvoice(), stack.createCard()])
    return { invoiceId, transactionId: 'none', source }
  }
  const options = stage === 'captured' ? { authorize_only: false } : {}
  const { invoiceId, source, answer } = await story.pay({ invoice: { incremental: true }, ...options })
  return { invoiceId, transactionId: answer.body.transaction.id, source }
}

/** Every endpoint that moves money, with a body that moves a part of it. */
const ENDPOINTS: [string, string, Parameters<typeof begin>[0], (begun: Begun) => object][] = [
  ['POST', '/invoices/:id/authorize', 'unpaid', ({ source }) => ({ source })],
  ['POST', '/invoices/:id/three-d-s', 'unpaid', ({ source }) => ({ source })],
  ['POST', '/invoices/:id/capture', 'authorized', () => ({ capture_amount: '5.00', capture_type: 'non-final' })],
  ['POST', '/invoices/:id/increment_authorization', 'authorized', () => ({ amount: '5.00' })],
  ['POST', '/invoices/:id/void', 'authorized', () => ({ amount: '5.00' })],
  ['POST', '/invoices/:id/refunds', 'captured', () => ({ amount: '5.00' })],
  ['POST', '/transactions/:id/refunds', 'captured', () => ({ amount: '5.00' })],
  ['PUT', '/invoices/:id/sync-with-psp', 'authorized', () => ({})],
]

function addressOf(path: string, { invoiceId, transactionId }: Begun): string {
  return path.replace(':id', path.startsWith('/transactions') ? transactionId : invoiceId)
}

function nextKey(): string {
  count += 1
  return `key-${count}`
}

describe('an idempotency key', () => {
  test.each(ENDPOINTS)('%s %s sent again with its key gives the same bytes and moves nothing', async (...row) => {
    const [method, path, stage, bodyOf] = row
    const begun = await begin(stage)
    const [address, key] = [addressOf(path, begun), nextKey()]
    const first = await post(address, key, bodyOf(begun), method)
    expect(first).toMatchObject({ status: 200, body: { outcome: 'success' } })
    expect(replayed(first)).toBeNull()
    const asked = await stack.gatewayRequests(begun.invoiceId)
    const again = await post(address, key, bodyOf(begun), method)
    expect(again).toMatchObject({ status: 200, text: first.text })
    expect(replayed(again)).toBe('true')
    expect(await stack.gatewayRequests(begun.invoiceId)).toEqual(asked)
  })
})

test('every endpoint that moves money is tried here', () => {
  const expected = apiRoutes().filter(movesMoney)
  expect(ENDPOINTS.map(([method, path]) => `${method} ${path}`).toSorted()).toEqual(
    expected.map(({ method, path }) => `${method} ${path}`).toSorted(),
  )
})
