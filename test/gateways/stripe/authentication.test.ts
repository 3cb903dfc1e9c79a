import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { AuthorizeRequest, Gateway } from '../../../src/gateways/gateway.ts'
import { createStripeGateway } from '../../../src/gateways/stripe/adapter.ts'
import type { StripeHost } from '../../../src/gateways/stripe/client.ts'
import { AUTHENTICATION_CASES, CUSTOMER_PRESENT, EXTERNAL, expectAction } from '../contract-authentication.ts'
import { openLines } from '../line.ts'
import { authorization, continuing, patience } from './builders.ts'
import { startStripeStandIn } from './stand-in.ts'

const ALWAYS_AUTHENTICATED = '4000002500003155'
const THEN_WITHOUT_MONEY = '4000008260003178'

let standIn: Awaited<ReturnType<typeof startStripeStandIn>>
let lines: Awaited<ReturnType<typeof openLines>>
let gateway: Gateway

const hostOf = (address: string): StripeHost => {
  const { hostname, port } = new URL(address)
  return { protocol: 'http', host: hostname, port: Number(port) }
}

beforeAll(async () => {
  standIn = await startStripeStandIn()
  const { protocol, host, port } = await standIn.listen()
  lines = await openLines(`${protocol}://${host}:${port}`, () => true)
  gateway = createStripeGateway({ host: hostOf(await lines.open()) })
})
afterAll(async () => {
  await lines.close()
  await standIn.close()
})

let requests = 0
const request = (overrides: Partial<AuthorizeRequest> = {}): AuthorizeRequest => {
  requests += 1
  const { card } = authorization()
  return authorization({
    reference: `tr_op_authenticated_${requests}`,
    invoiceId: `iv_authenticated_${requests}`,
    card: card && { ...card, number: ALWAYS_AUTHENTICATED },
    authentication: CUSTOMER_PRESENT,
    ...overrides,
  })
}

const withCard = (number: string) => {
  const { card } = authorization()
  return request({ card: card && { ...card, number } })
}

const APPROVED: ReadonlySet<string> = new Set(['requires_capture', 'succeeded'])
const countAuthorizations = async (invoiceId: string) =>
  standIn.books.of(invoiceId).filter(({ status }) => APPROVED.has(status)).length

describe('a customer at Stripe', () => {
  test.each(AUTHENTICATION_CASES)('$name', ({ check }) =>
    check({
      gateway,
      over: async (trouble) => createStripeGateway({ host: hostOf(await lines.open(trouble)) }),
      request,
      async act({ continuation: id }, passes) {
        standIn.books.authenticate(id, passes)
        const parameters = { payment_intent: id, payment_intent_client_secret: `${id}_secret_of_the_page` }
        return { kind: 'returned', parameters }
      },
      countAuthorizations,
    }),
  )
})

/** An authorization that waits for its customer, and how it goes on. */
const waiting = async (asked = request()) => {
  const { continuation: id } = expectAction(await gateway.authorize(asked, patience()))
  const { reference, invoiceId } = asked
  const goOn = (overrides: Parameters<typeof continuing>[1] = {}) =>
    gateway.continueAuthorization?.(continuing(id, { reference, invoiceId, ...overrides }), patience())
  const intent = standIn.books.intents.get(id)
  if (intent === undefined) throw new Error('Stripe knows the PaymentIntent.')
  return { asked, id, intent, goOn }
}

describe('a PaymentIntent whose customer is back', () => {
  test.each([
    ['of another invoice', { invoiceId: 'iv_other' }],
    ['of another authorization', { reference: 'tr_op_other' }],
  ])('%s is refused', async (_, foreign) => {
    const { id, intent, goOn } = await waiting()
    standIn.books.authenticate(id)

    expect(await goOn(foreign)).toMatchObject({ kind: 'declined', code: 'gateway.invalid-customer-input' })
    expect(intent.status).toBe('requires_capture')
  })

  test.each([
    ['another amount', { amountMinor: 2_901 }],
    ['another currency', { currency: 'USD' }],
  ])('over %s is neither shown again nor confirmed', async (_, other) => {
    const { id, intent, goOn } = await waiting()

    expect(await goOn(other)).toMatchObject({ kind: 'declined', gatewayCode: 'other_amount' })
    standIn.books.awaitConfirmation(id)
    expect(await goOn(other)).toMatchObject({ kind: 'declined', gatewayCode: 'other_amount' })
    expect(intent.status).toBe('requires_confirmation')
  })

  test('that was released meanwhile has paid nothing', async () => {
    const { asked, id, goOn } = await waiting()
    standIn.books.authenticate(id)
    const release = { ...asked, reference: 'tr_op_release', gatewayAuthorizationId: id }
    await gateway.void(release, patience())

    expect(await goOn()).toMatchObject({ kind: 'declined', code: 'gateway.expired' })
  })

  test('that still waits asks for the same action again', async () => {
    const { id, goOn } = await waiting()

    expect(await goOn()).toMatchObject({
      kind: 'action-required',
      action: { type: 'url', continuation: id, page: { url: `https://hooks.stripe.com/3ds/${id}`, fields: null } },
    })
  })

  test('that waits for a confirmation is confirmed once, whatever is repeated', async () => {
    const { asked, id, intent, goOn } = await waiting()
    standIn.books.awaitConfirmation(id)
    const before = standIn.arrived.length

    const outcomes = await Promise.all([goOn(), goOn(), goOn()])

    const certain = outcomes.filter((outcome) => outcome?.kind !== 'unknown')
    expect(certain[0]).toMatchObject({ kind: 'approved', authentication: { status: 'authenticated' } })
    for (const outcome of certain) expect(outcome).toEqual(certain[0])
    expect(intent.status).toBe('requires_capture')
    const keys = standIn.arrived
      .slice(before)
      .filter(({ method }) => method === 'POST')
      .map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(new RegExp(`^${asked.reference}-[0-9a-f]{16}$`))
  })

  test('that was confirmed by somebody faster is approved all the same', async () => {
    const { id, goOn } = await waiting()
    standIn.books.awaitConfirmation(id)
    const known = standIn.books.intents.get(id)
    if (known === undefined) throw new Error('Stripe knows the PaymentIntent.')
    // The state that was read is the one before.
    standIn.answerNext({ status: 200, body: { ...unconfirmed(id), metadata: { ...known.metadata } } })
    known.status = 'requires_capture'

    expect(await goOn()).toMatchObject({ kind: 'approved', amountMinor: 2_900 })
  })

  test('is declined for another reason after the authentication, which is reported with it', async () => {
    const { id, goOn } = await waiting(withCard(THEN_WITHOUT_MONEY))
    standIn.books.authenticate(id)

    expect(await goOn()).toMatchObject({
      kind: 'declined',
      code: 'card.no-money',
      authentication: { version: '2.2.0', status: 'authenticated', wasChallenged: true },
    })
  })

  test('is never declined because Stripe cannot be asked', async () => {
    const { id, goOn } = await waiting()
    standIn.books.authenticate(id)

    for (const status of [400, 401, 403, 404, 429, 500]) {
      standIn.answerNext({ status, body: { error: { type: 'invalid_request_error' } } })
      expect((await goOn())?.kind).toBe('unknown')
    }
    expect((await goOn({ credentials: {} }))?.kind).toBe('unknown')
    expect((await goOn())?.kind).toBe('approved')
  })
})

/** As Stripe shows a PaymentIntent that waits for its confirmation. */
const unconfirmed = (id: string) => ({
  id,
  object: 'payment_intent',
  amount: 2_900,
  amount_received: 0,
  capture_method: 'manual',
  currency: 'eur',
  last_payment_error: null,
  latest_charge: null,
  next_action: null,
  status: 'requires_confirmation',
})

describe('an authentication at Stripe that is given up', () => {
  const end = ({ asked, id }: Awaited<ReturnType<typeof waiting>>) =>
    gateway.endAuthentication?.(
      { ...asked, type: 'authorization', gatewayAuthorizationId: null, continuation: id },
      patience(),
    )

  test('is cancelled with its reason, once', async () => {
    const payment = await waiting()
    const before = standIn.arrived.length

    expect(await end(payment)).toEqual({
      kind: 'found',
      outcome: { kind: 'declined', code: 'card.expired-3ds', gatewayCode: 'abandoned' },
    })
    const [, cancellation] = standIn.arrived.slice(before)
    expect(cancellation?.fields).toMatchObject({ cancellation_reason: 'abandoned' })
    expect(cancellation?.headers['idempotency-key']).toBe(`${payment.asked.reference}-end`)
    expect(payment.intent.status).toBe('canceled')
  })

  test('holds nothing, even if the customer has passed between the question and the cancellation', async () => {
    const payment = await waiting()
    // The state that was read is the one before, and the cancellation releases what was approved since.
    standIn.answerNext({
      status: 200,
      body: { ...unconfirmed(payment.id), status: 'requires_action', metadata: { ...payment.intent.metadata } },
    })
    standIn.books.authenticate(payment.id)

    expect(await end(payment)).toMatchObject({ kind: 'found', outcome: { kind: 'declined', code: 'card.expired-3ds' } })
    expect(payment.intent.status).toBe('canceled')
    expect(await countAuthorizations(payment.asked.invoiceId)).toBe(0)
    expect(await end(payment)).toMatchObject({ kind: 'found', outcome: { kind: 'declined' } })
  })

  test('that was taken meanwhile is found approved', async () => {
    const payment = await waiting()
    const { id, intent } = payment
    standIn.answerNext({
      status: 200,
      body: { ...unconfirmed(id), status: 'requires_action', metadata: { ...intent.metadata } },
    })
    standIn.books.authenticate(id)
    Object.assign(intent, { status: 'succeeded', received: 2_900 })

    expect(await end(payment)).toMatchObject({ kind: 'found', outcome: { kind: 'approved', amountMinor: 2_900 } })
  })

  test('that Stripe is working on is found pending, and one that was declined declined', async () => {
    const busy = await waiting()
    busy.intent.status = 'processing'
    const failed = await waiting()
    standIn.books.authenticate(failed.id, false)

    expect(await end(busy)).toMatchObject({ kind: 'found', outcome: { kind: 'pending' } })
    expect(await end(failed)).toMatchObject({ kind: 'found', outcome: { kind: 'declined', code: 'card.failed-3ds' } })
  })
})

describe('an authentication at Stripe that a merchant demands', () => {
  const demanded = { ...CUSTOMER_PRESENT, isRequired: true }

  test('sends the customer of any card to it', async () => {
    const { card } = authorization()

    expectAction(await gateway.authorize(request({ card, authentication: demanded }), patience()))
  })

  test('and has made elsewhere is neither repeated nor told to anybody', async () => {
    const asked = request({ authentication: { ...demanded, external: EXTERNAL } })

    const outcome = await gateway.authorize(asked, patience())

    expect(outcome).toMatchObject({
      kind: 'approved',
      authentication: { version: '2.2.0', status: 'authenticated', dsTransId: EXTERNAL.dsTransId },
    })
    expect(JSON.stringify(outcome)).not.toContain(EXTERNAL.cavv)
    const anonymous = { ...demanded, external: { ...EXTERNAL, dsTransId: null } }
    expect(await gateway.authorize(request({ authentication: anonymous }), patience())).toMatchObject({
      kind: 'declined',
      code: 'gateway.validation-error',
    })
  })
})
