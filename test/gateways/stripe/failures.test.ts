import { describe, expect, test } from '@jest/globals'
import Stripe from 'stripe'
import type { AuthorizeRequest } from '../../../src/gateways/gateway.ts'
import { createStripeGateway } from '../../../src/gateways/stripe/adapter.ts'
import { createClient } from '../../../src/gateways/stripe/client.ts'
import { outcomeOfFailure } from '../../../src/gateways/stripe/failures.ts'
import { startStripeStandIn } from '../../../stand-ins/stripe/stripe.ts'
import { forFile, openForFile } from '../../support/for-file.ts'
import { pairsOf } from '../pairs.ts'
import { authorization, followUp, patience } from './builders.ts'

const error = (status: number, body: object) => ({ status, body: { error: body } })

/** Every test has references of its own, so that no idempotency key is met twice. */
let references = 0
const reference = () => {
  references += 1
  return `tr_op_${references}`
}

const standIn = openForFile(() => startStripeStandIn())
const gateway = forFile(async () => createStripeGateway({ baseUrl: standIn.url }))

describe('when a call to Stripe fails', () => {
  const authorized = async () => {
    const outcome = await gateway.authorize(authorization({ reference: reference() }), patience())
    if (outcome.kind !== 'approved') throw new Error(`Expected an approval, got ${JSON.stringify(outcome)}.`)
    return outcome.gatewayOperationId
  }

  /** A capture that is answered with something else than Stripe's word; null where the connection is reset. */
  const captureAnswered = async (answer: Parameters<typeof standIn.answerNext>[0] | null) => {
    const request = { ...followUp(await authorized(), { reference: reference() }), isFinal: true }
    if (answer === null) standIn.faults.set([{ name: 'reset-before', on: 'capture', count: 1 }])
    else standIn.answerNext(answer)
    const before = standIn.arrived.length
    const outcome = await gateway.capture(request, patience())
    expect(standIn.arrived.length - before).toBe(1)
    return outcome
  }

  test.each([
    [500, { type: 'api_error' }],
    [502, { type: 'api_error' }],
    [409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }],
    [400, { type: 'idempotency_error' }],
    [400, { type: 'moon_error' }],
    [418, { type: 'invalid_request_error' }],
  ])('an answer %i %j is unknown, and is not asked for twice', async (status, body) => {
    expect((await captureAnswered(error(status, body))).kind).toBe('unknown')
  })

  test('a closed connection, or an answer that points elsewhere, is unknown, and nothing is sent again', async () => {
    expect((await captureAnswered(null)).kind).toBe('unknown')
    expect((await captureAnswered({ status: 307, body: {}, headers: { location: '/v1/elsewhere' } })).kind).toBe(
      'unknown',
    )
  })

  test.each<[number, object, string, boolean]>([
    [400, { type: 'invalid_request_error', code: 'parameter_missing' }, 'gateway.validation-error', false],
    [400, { type: 'invalid_request_error', code: 'charge_expired_for_capture' }, 'gateway.expired', false],
    [400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' }, 'gateway.invalid-state', false],
    [402, { type: 'card_error', code: 'card_declined', decline_code: 'stolen_card' }, 'card.stolen', false],
    [404, { type: 'invalid_request_error', code: 'resource_missing' }, 'gateway.transaction-not-found', false],
    [401, { type: 'invalid_request_error' }, 'gateway.invalid-credentials', true],
    [403, { type: 'invalid_request_error' }, 'gateway.forbidden', true],
    [429, { type: 'invalid_request_error', code: 'rate_limit' }, 'gateway.rate-limit-exceeded', true],
    [429, { type: 'invalid_request_error', code: 'lock_timeout' }, 'gateway.retry', true],
  ])('an answer %i %j is a certain failure', async (status, body, code, isNotSent) => {
    const outcome = await captureAnswered(error(status, body))

    expect(outcome).toMatchObject({ kind: 'declined', code, gatewayCode: expect.stringMatching(/./) })
    expect(outcome.kind === 'declined' && outcome.isNotSent === true).toBe(isNotSent)
  })

  test.each(
    pairsOf(`
  gateway.invalid-merchant: account_invalid; gateway.validation-error: amount_too_large, amount_too_small;
  gateway.limit-exceeded: balance_insufficient, charge_exceeds_source_limit, charge_exceeds_transaction_limit;
  gateway.invalid-state: charge_already_captured, charge_already_refunded, charge_disputed;
  gateway.invalid-state: charge_not_refundable, payment_intent_unexpected_state, refund_disputed_payment;
  gateway.expired: charge_expired_for_capture; gateway.retry: lock_timeout;
  gateway.unsupported-currency: payment_method_currency_mismatch; gateway.rate-limit-exceeded: rate_limit;
  gateway.transaction-not-found: resource_missing; gateway.configuration-error: testmode_charges_only
`),
  )('a request that Stripe refuses with the code %s is told as %s', (code, ours) => {
    const raw = { type: 'invalid_request_error', code, message: 'In words.', statusCode: 400 } as const
    expect(outcomeOfFailure(Stripe.errors.StripeError.generate(raw))).toEqual({
      kind: 'declined',
      code: ours,
      gatewayCode: code,
    })
  })

  test('an authorization of which only the card was handed over was certainly not made', async () => {
    const request = authorization({ reference: reference(), invoiceId: 'iv_only_card' })
    standIn.faults.set([{ name: 'reset-before', on: 'prepare', count: 1 }])

    expect(await gateway.authorize(request, patience())).toMatchObject({ kind: 'declined', isNotSent: true })
    expect(standIn.books.of('iv_only_card')).toEqual([])
  })

  test('a reference that was used for something else before is unknown, and charges nothing more', async () => {
    const request = authorization({ reference: reference(), invoiceId: 'iv_other_amount' })
    await gateway.authorize(request, patience())

    expect((await gateway.authorize({ ...request, amountMinor: 9_900 }, patience())).kind).toBe('unknown')
    expect(standIn.books.of('iv_other_amount').map(({ amount }) => amount)).toEqual([2_900])
  })

  test('an authorization that the search does not show yet is not made twice by asking again', async () => {
    standIn.faults.set([{ name: 'reset-after', on: 'authorize', count: 1 }])
    const request = authorization({ reference: reference(), invoiceId: 'iv_search_lags' })
    const question = { ...request, type: 'authorization' as const, gatewayAuthorizationId: null }
    expect((await gateway.authorize(request, patience())).kind).toBe('unknown')

    standIn.answerNext({ status: 200, body: { object: 'search_result', data: [], has_more: false, next_page: null } })
    expect(await gateway.lookUp(question, patience())).toEqual({ kind: 'never-seen', lagMs: 2 * 60 * 60 * 1000 })
    expect(await gateway.authorize(request, patience())).toMatchObject({ kind: 'approved', amountMinor: 2_900 })
    expect(standIn.books.of('iv_search_lags')).toHaveLength(1)
  })

  test('a step on an authorization that the account asked does not know is not told as never seen', async () => {
    const id = await authorized()
    const capture = { ...followUp(id, { reference: reference() }), isFinal: true }
    expect((await gateway.capture(capture, patience())).kind).toBe('approved')

    for (const type of ['capture', 'increment_authorization', 'void', 'refund'] as const) {
      standIn.answerNext(error(404, { type: 'invalid_request_error', code: 'resource_missing' }))
      const question = { ...capture, type, gatewayAuthorizationId: id }
      expect((await gateway.lookUp(question, patience())).kind).toBe('unreachable')
    }
  })

  test.each([{}, { secret_key: '' }, { secret_key: 'sk_test\nX-Other: 1' }, { secret_key: 'pk_test_public' }])(
    'without a secret key nothing is sent: %j',
    async (credentials) => {
      const before = standIn.arrived.length
      const request = { ...authorization({ reference: reference() }), credentials }
      const later = { ...followUp('pi_1'), credentials }

      const refused = { kind: 'declined', code: 'gateway.invalid-credentials', isNotSent: true }
      expect(await gateway.authorize(request, patience())).toMatchObject(refused)
      expect(await gateway.capture({ ...later, isFinal: true }, patience())).toMatchObject(refused)
      expect(await gateway.refund(later, patience())).toMatchObject(refused)
      expect(await gateway.void(later, patience())).toMatchObject(refused)
      expect((await gateway.lookUp({ ...later, type: 'refund' }, patience())).kind).toBe('unreachable')
      expect(standIn.arrived.length).toBe(before)
    },
  )
})

describe('a host or a network that is out of reach', () => {
  const failed = (cause: object) => {
    const detail = Object.assign(new TypeError('fetch failed'), { cause })
    return outcomeOfFailure(new Stripe.errors.StripeConnectionError({ message: 'lost', detail } as never))
  }
  const unreachable = (syscall: string, code = 'EHOSTUNREACH') => Object.assign(new Error(code), { code, syscall })
  const allOf = (...errors: Error[]) => Object.assign(new AggregateError(errors), { code: 'EHOSTUNREACH' })

  test.each([
    ['EHOSTUNREACH', unreachable('connect')],
    ['ENETUNREACH', unreachable('connect', 'ENETUNREACH')],
    ['EHOSTUNREACH', allOf(unreachable('connect'), unreachable('connect', 'ENETUNREACH'))],
  ])('while the connection is made has got nothing: %s', (gatewayCode, cause) => {
    expect(failed(cause)).toMatchObject({ kind: 'declined', isNotSent: true, gatewayCode })
  })

  test.each([
    ['reading', unreachable('read')],
    ['writing', unreachable('write', 'ENETUNREACH')],
    ['one of several', allOf(unreachable('connect'), unreachable('read'))],
    ['something that is not told', { code: 'EHOSTUNREACH' }],
  ])('after that may have got the request: %s', (_, cause) => {
    expect(failed(cause).kind).toBe('unknown')
  })
})

describe('Stripe over the line', () => {
  const authorize = (number: string, overrides: Partial<AuthorizeRequest> = {}) => {
    const { card } = authorization()
    return gateway.authorize(
      authorization({ reference: reference(), card: card && { ...card, number }, ...overrides }),
      patience(),
    )
  }

  test('every request carries our reference as its key and the version that it was written for', async () => {
    const request = authorization({ reference: reference(), settings: { account: 'acct_1' } })

    await gateway.authorize(request, patience())

    const [card, intent] = standIn.arrived.slice(-2)
    expect(card?.headers['idempotency-key']).toBe(`${request.reference}-card`)
    expect(intent?.headers).toMatchObject({
      'idempotency-key': request.reference,
      'stripe-version': '2026-10-28.endive',
      'stripe-account': 'acct_1',
    })
  })

  test.each(['sk_live_1', 'rk_live_1', 'sk_test'])(
    'a stand-in never gets a key that is none of test mode: %j',
    (key) => {
      const client = createClient({ credentials: { secret_key: key }, settings: {} }, patience(), standIn.url)
      expect(client.getApiField('host')).toBe('api.stripe.com')
    },
  )

  test('what is no source of Stripe, an amount of zero and one that cannot be expressed are refused unsent', async () => {
    const before = standIn.arrived.length

    for (const gatewayRequest of ['../customers', 'pi_1']) {
      const source = authorization({ card: null, scheme: null, gatewayRequest })
      expect(await gateway.authorize(source, patience())).toMatchObject({ code: 'gateway.invalid-customer-input' })
    }
    expect(await gateway.authorize(authorization({ amountMinor: 0 }), patience())).toMatchObject({ kind: 'declined' })
    const capture = { ...followUp('pi_1', { currency: 'KWD', amountMinor: 1_001 }), isFinal: true }
    expect(await gateway.capture(capture, patience())).toMatchObject({ code: 'gateway.unsupported-currency' })
    expect(standIn.arrived.length).toBe(before)
  })

  test('an authorization and a refund that Stripe has not decided about are pending', async () => {
    expect((await authorize('4000000000009979')).kind).toBe('pending')

    const approved = await authorize('4000000000007726')
    const id = approved.kind === 'approved' ? approved.gatewayOperationId : ''
    await gateway.capture({ ...followUp(id, { reference: reference() }), isFinal: true }, patience())
    expect((await gateway.refund(followUp(id, { reference: reference() }), patience())).kind).toBe('pending')
  })

  test('a refused release does not free what the issuer has not approved', async () => {
    standIn.faults.set([{ name: 'other-amount', count: 1 }])
    const approved = await authorize('4242424242424242')
    const id = approved.kind === 'approved' ? approved.gatewayOperationId : ''
    const step = () => followUp(id, { reference: reference(), amountMinor: 1_450 })
    await gateway.capture({ ...step(), isFinal: true }, patience())

    expect(await gateway.void(step(), patience())).not.toHaveProperty('holdsNothing')
  })

  test('the release of an authorization that has expired by itself is no failure', async () => {
    const approved = await authorize('4242424242424242')
    const id = approved.kind === 'approved' ? approved.gatewayOperationId : ''
    standIn.books.expire(id)

    const outcome = await gateway.void(followUp(id, { reference: reference(), amountMinor: 2_900 }), patience())

    expect(outcome).toMatchObject({ kind: 'approved', amountMinor: 2_900 })
  })

  test.each<[string, number | null, number, boolean]>([
    ['that was released before', null, 2_900, true],
    ['whose rest was released with a capture', 1_000, 1_900, true],
    ['that was captured whole', 2_900, 2_900, false],
    ['of which more was captured than we know', 2_000, 1_900, false],
  ])(
    'the refused release of an authorization %s tells whether the money is free',
    async (_, captured, amountMinor, isFree) => {
      const approved = await authorize('4242424242424242')
      const id = approved.kind === 'approved' ? approved.gatewayOperationId : ''
      const other = { reference: reference(), amountMinor: captured ?? 2_900 }
      await (captured === null
        ? gateway.void(followUp(id, other), patience())
        : gateway.capture({ ...followUp(id, other), isFinal: true }, patience()))

      const outcome = await gateway.void(followUp(id, { reference: reference(), amountMinor }), patience())

      expect(outcome).toMatchObject({ kind: 'declined', code: 'gateway.invalid-state' })
      expect('holdsNothing' in outcome).toBe(isFree)
    },
  )
})
