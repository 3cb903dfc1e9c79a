import { describe, expect, test } from '@jest/globals'
import type { AuthorizeRequest } from '../../../src/gateways/gateway.ts'
import { createStripeGateway } from '../../../src/gateways/stripe/adapter.ts'
import { startStripeStandIn } from '../../../stand-ins/stripe/stripe.ts'
import { forFile, openForFile } from '../../support/for-file.ts'
import { AUTHENTICATION_CASES, CUSTOMER_PRESENT, EXTERNAL, expectAction } from '../contract-authentication.ts'
import { openLines } from '../line.ts'
import { authorization, continuing, patience } from './builders.ts'

const ALWAYS_AUTHENTICATED = '4000002500003155'
const THEN_WITHOUT_MONEY = '4000008260003178'

const standIn = openForFile(() => startStripeStandIn())
const lines = openForFile(() => openLines(standIn.url, () => true))
const gateway = forFile(async () => createStripeGateway({ baseUrl: await lines.open() }))

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
      over: async (trouble) => createStripeGateway({ baseUrl: await lines.open(trouble) }),
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

/** As Stripe shows a PaymentIntent that waits for its confirmation, or another state of the same one. */
const unconfirmed = (id: string, { metadata }: { metadata: object }, status = 'requires_confirmation') => ({
  ...{ id, object: 'payment_intent', amount: 2_900, amount_received: 0, capture_method: 'manual', currency: 'eur' },
  ...{ last_payment_error: null, latest_charge: null, next_action: null, status, metadata: { ...metadata } },
})

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
    await gateway.void({ ...asked, reference: 'tr_op_release', gatewayAuthorizationId: id }, patience())

    expect(await goOn()).toMatchObject({ kind: 'declined', code: 'gateway.expired' })
  })

  test('that still waits asks for the same action again', async () => {
    const { id, goOn } = await waiting()

    const page = { url: `https://hooks.stripe.com/3ds/${id}`, fields: null }
    expect(await goOn()).toMatchObject({ kind: 'action-required', action: { type: 'url', continuation: id, page } })
  })

  test('that waits for a confirmation is confirmed once, whatever is repeated', async () => {
    const { asked, id, intent, goOn } = await waiting()
    standIn.books.awaitConfirmation(id)
    const before = standIn.arrived.length

    const certain = (await Promise.all([goOn(), goOn(), goOn()])).filter((outcome) => outcome?.kind !== 'unknown')

    expect(certain[0]).toMatchObject({ kind: 'approved', authentication: { status: 'authenticated' } })
    for (const outcome of certain) expect(outcome).toEqual(certain[0])
    expect(intent.status).toBe('requires_capture')
    const posted = standIn.arrived.slice(before).filter(({ method }) => method === 'POST')
    const keys = new Set(posted.map(({ headers }) => headers['idempotency-key']))
    expect([...keys]).toEqual([expect.stringMatching(new RegExp(`^${asked.reference}-[0-9a-f]{16}$`))])
  })

  test('that was confirmed by somebody faster is approved all the same', async () => {
    const { id, intent, goOn } = await waiting()
    // The state that was read is the one before.
    standIn.answerNext({ status: 200, body: unconfirmed(id, intent) })
    intent.status = 'requires_capture'

    expect(await goOn()).toMatchObject({ kind: 'approved', amountMinor: 2_900 })
  })

  test('is declined for another reason after the authentication, which is reported with it', async () => {
    const { id, goOn } = await waiting(withCard(THEN_WITHOUT_MONEY))
    standIn.books.authenticate(id)

    const authentication = { version: '2.2.0', status: 'authenticated', wasChallenged: true }
    expect(await goOn()).toMatchObject({ kind: 'declined', code: 'card.no-money', authentication })
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

describe('an authentication at Stripe that is given up', () => {
  const end = ({ asked, id }: Awaited<ReturnType<typeof waiting>>) =>
    gateway.endAuthentication?.(
      { ...asked, type: 'authorization', gatewayAuthorizationId: null, continuation: id },
      patience(),
    )
  /** The customer passes between the question, which is answered with the state before, and the cancellation. */
  const passesMeanwhile = ({ id, intent }: Awaited<ReturnType<typeof waiting>>) => {
    standIn.answerNext({ status: 200, body: unconfirmed(id, intent, 'requires_action') })
    standIn.books.authenticate(id)
  }

  test('is cancelled with its reason, once', async () => {
    const payment = await waiting()
    const before = standIn.arrived.length

    const outcome = { kind: 'declined', code: 'card.expired-3ds', gatewayCode: 'abandoned' }
    expect(await end(payment)).toEqual({ kind: 'found', outcome })
    const [, cancellation] = standIn.arrived.slice(before)
    expect(cancellation?.fields).toMatchObject({ cancellation_reason: 'abandoned' })
    expect(cancellation?.headers['idempotency-key']).toBe(`${payment.asked.reference}-end`)
    expect(payment.intent.status).toBe('canceled')
  })

  test('holds nothing, even if the customer has passed between the question and the cancellation', async () => {
    const payment = await waiting()
    passesMeanwhile(payment)

    expect(await end(payment)).toMatchObject({ kind: 'found', outcome: { kind: 'declined', code: 'card.expired-3ds' } })
    expect(payment.intent.status).toBe('canceled')
    expect(await countAuthorizations(payment.asked.invoiceId)).toBe(0)
    expect(await end(payment)).toMatchObject({ kind: 'found', outcome: { kind: 'declined' } })
  })

  test('is found as what it has become meanwhile: taken, under way, or declined', async () => {
    const [taken, busy, failed] = [await waiting(), await waiting(), await waiting()]
    passesMeanwhile(taken)
    Object.assign(taken.intent, { status: 'succeeded', received: 2_900 })
    expect(await end(taken)).toMatchObject({ kind: 'found', outcome: { kind: 'approved', amountMinor: 2_900 } })

    busy.intent.status = 'processing'
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
