import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import * as client from '../src/index.ts'
import { type FakeService, refusal, rejection, startFakeService } from './fake-service.ts'

let service: FakeService

beforeAll(async () => {
  service = await startFakeService()
})
afterAll(() => service.stop())

const TRANSACTION = { id: 'tr_1', status: 'failed', error_code: 'card.no-money' }
const failure = async (answer: ReturnType<typeof refusal>) => {
  service.answerWith(answer)
  return rejection(service.client({ maxRetries: 0 }).invoices.authorize('iv_1', { source: 'card_1' }))
}

test.each([
  [400, 'request.validation.invalid-amount', client.InvalidRequestError],
  [401, 'request.authentication.invalid', client.AuthenticationError],
  [403, 'request.project-suspended', client.PermissionError],
  [404, 'resource.invoice.not-found', client.NotFoundError],
  [405, 'request.method-not-allowed', client.InvalidRequestError],
  [408, 'request.timeout', client.UnavailableError],
  [409, 'request.still-processing', client.ConflictError],
  [410, 'card.no-money', client.DeclinedError],
  [410, 'a-word-of-a-later-version', client.DeclinedError],
  [413, 'request.body-too-large', client.InvalidRequestError],
  [429, 'request.rate.exceeded', client.RateLimitError],
  [431, 'request.headers-too-large', client.InvalidRequestError],
  [500, 'server.internal-error', client.UnavailableError],
  [503, 'request.not-started', client.UnavailableError],
  [418, 'of-a-later-version', client.HoldfastError],
])('%d %s is a class of its own, with all that a caller needs', async (status, code, kind) => {
  const error = await failure(refusal(status, code))
  expect(error).toBeInstanceOf(client.HoldfastError)
  expect(Object.getPrototypeOf(error)).toBe(kind.prototype)
  expect(error).toMatchObject({
    name: kind.name,
    code,
    status,
    message: 'It cannot be done.',
    requestId: 'req_1',
    idempotencyKey: service.sent[0]?.headers['idempotency-key'],
    lastResponse: { rateLimit: { name: 'primary', limit: 3000, remaining: 2975 } },
  })
})

describe('an error', () => {
  test('of the request names the fields', async () => {
    const invalid_fields = [{ name: 'source', message: 'is missing' }]
    const error = await failure(refusal(400, 'request.validation.missing-source', { invalid_fields }))
    expect(error).toMatchObject({ invalidFields: invalid_fields })
  })

  test('of a declined payment has the transaction, and of a refund the refund', async () => {
    const refund = { id: 'refd_1', status: 'failed' }
    const error = await failure(refusal(410, 'card.no-money', { transaction: TRANSACTION, refund }))
    expect(error).toMatchObject({ transaction: TRANSACTION, refund })
    expect(await failure(refusal(410, 'card.no-money'))).toMatchObject({ transaction: null, refund: null })
  })

  test('of a customer who has to act says where', async () => {
    const customer_action = { type: 'redirect', value: 'https://bank.example', metadata: null }
    const error = await failure(
      refusal(410, 'card.needs-authentication', { outcome: 'pending', customer_action, transaction: TRANSACTION }),
    )
    expect(error).toBeInstanceOf(client.CustomerActionRequiredError)
    expect(error).not.toBeInstanceOf(client.DeclinedError)
    expect(error).toMatchObject({ action: customer_action, transaction: TRANSACTION })
  })

  test('that something in front of the service has answered has no code', async () => {
    service.answerWith({ status: 404, text: '<html>No such site</html>', headers: {} })
    const error = await rejection(service.client().invoices.retrieve('iv_1'))
    expect(error).toBeInstanceOf(client.NotFoundError)
    expect(error).toMatchObject({ code: null, requestId: null, message: expect.stringContaining('apiUrl') })
  })
})
