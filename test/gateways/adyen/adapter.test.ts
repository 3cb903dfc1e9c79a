import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createAdyen } from '../../../src/gateways/adyen/adapter.ts'
import type { Gateway } from '../../../src/gateways/gateway.ts'
import { CUSTOMER_PRESENT, RETURN_URL } from '../contract-authentication.ts'
import { ACCESS, cardOf, makeRequests, patience } from './fixture.ts'
import { startReceiver } from './receiver.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

const { authorization, followUp } = makeRequests('adyen-adapter')
let standIn: StandIn
let gateway: Gateway
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  standIn = await startStandIn()
  gateway = createAdyen({ baseUrl: standIn.url })
  receiver = await startReceiver(gateway)
})
afterEach(() => standIn.setLine('clear'))
afterAll(async () => {
  await standIn.close()
  await receiver.close()
})

const lastSeen = () => standIn.seen.at(-1)

const authorize = async (overrides: Parameters<typeof authorization>[0] = {}) => {
  const request = authorization(overrides)
  const outcome = await gateway.authorize(request, patience())
  if (outcome.kind !== 'approved') throw new Error(`Expected an approval, got ${JSON.stringify(outcome)}.`)
  const id = outcome.gatewayOperationId
  return {
    request,
    outcome,
    step: (amountMinor: number) => followUp(request, id, amountMinor),
    books: () => standIn.authorizations(request.invoiceId)[0],
  }
}

describe('what Adyen gets over the line', () => {
  test('is our reference as the idempotency key, the key of the account, and the body that was written', async () => {
    const request = authorization({ isMerchantInitiated: true, initialSchemeTransactionId: '016150703802094' })

    await gateway.authorize(request, patience())

    expect(lastSeen()?.path).toMatch(/^\/v\d+\/payments$/)
    expect(lastSeen()?.headers).toMatchObject({
      'idempotency-key': request.reference,
      'x-api-key': ACCESS.credentials.apiKey,
      'content-type': 'application/json',
    })
    expect(lastSeen()?.body).toEqual({
      merchantAccount: 'HoldfastTest',
      reference: request.reference,
      merchantOrderReference: request.invoiceId,
      amount: { value: 2_900, currency: 'EUR' },
      paymentMethod: {
        type: 'scheme',
        number: '4111111145551142',
        expiryMonth: '03',
        expiryYear: '2030',
        cvc: '737',
        holderName: 'Ada Example',
        brand: 'visa',
      },
      returnUrl: 'https://shop.example/return',
      shopperInteraction: 'ContAuth',
      recurringProcessingModel: 'UnscheduledCardOnFile',
      additionalData: {
        manualCapture: 'true',
        authorisationType: 'FinalAuth',
        networkTxReference: '016150703802094',
      },
      metadata: { invoiceId: request.invoiceId },
    })
  })

  test('of an ordinary payment asks for the page of the issuer where the customer has to prove something', async () => {
    await authorize({ authentication: CUSTOMER_PRESENT })

    expect(lastSeen()?.body).toMatchObject({
      shopperInteraction: 'Ecommerce',
      returnUrl: RETURN_URL,
      authenticationData: { threeDSRequestData: { nativeThreeDS: 'disabled' } },
    })
  })

  test('is one call for one question, whatever the answer', async () => {
    for (const line of ['failing', 'losing', 'redirecting', 'overloaded', 'inventing'] as const) {
      standIn.setLine(line)
      const before = standIn.seen.length
      await gateway.authorize(authorization(), patience())
      expect(standIn.seen.length - before).toBe(1)
    }
  })

  test('is nothing where the account lacks something, or the amount cannot be written', async () => {
    const before = standIn.seen.length
    const { returnUrl: _, ...settings } = ACCESS.settings

    expect(await gateway.authorize(authorization({ settings }), patience())).toEqual({
      kind: 'declined',
      code: 'gateway.configuration-error',
      gatewayCode: 'returnUrl',
    })
    expect(await gateway.authorize(authorization({ currency: 'CVE', amountMinor: 150 }), patience())).toMatchObject({
      code: 'gateway.unsupported-currency',
    })
    expect(standIn.seen.length).toBe(before)
  })
})

describe('a payment', () => {
  test('is told with what later payments and support need', async () => {
    const { outcome } = await authorize()

    expect(outcome).toMatchObject({
      amountMinor: 2_900,
      currency: 'EUR',
      schemeTransactionId: '123456789012345',
      authorizationCode: '058747',
      cardChecks: { cvcCheck: 'passed', avsCheck: 'unchecked' },
    })
  })

  test('with a number that is none is declined, and the number is told to nobody', async () => {
    const outcome = await gateway.authorize(authorization({ card: cardOf('Ada', { number: '41111111' }) }), patience())

    expect(outcome).toEqual({ kind: 'declined', code: 'card.invalid-account', gatewayCode: '101' })
  })

  test('that the customer has to confirm hands on the page for it', async () => {
    const asked = authorization({ card: cardOf('REDIRECT'), authentication: CUSTOMER_PRESENT })

    expect(await gateway.authorize(asked, patience())).toMatchObject({
      kind: 'action-required',
      action: {
        type: 'url',
        page: { url: expect.stringMatching(/^https:\/\/checkoutshopper-test\.adyen\.com\//), fields: null },
        isFullPage: true,
      },
    })
  })

  test('with credentials that do not hold is declined for certain', async () => {
    const credentials = { ...ACCESS.credentials, apiKey: 'wrong' }

    const outcome = await gateway.authorize(authorization({ credentials }), patience())

    const refused = { kind: 'declined', code: 'gateway.invalid-credentials', gatewayCode: '000' }
    expect(outcome).toEqual({ ...refused, isNotSent: true })
    expect(
      await gateway.authorize(
        authorization({ settings: { ...ACCESS.settings, merchantAccount: 'Foreign' } }),
        patience(),
      ),
    ).toMatchObject({ code: 'gateway.invalid-merchant' })
  })
})

describe('a call without a certain answer', () => {
  test('is a certain refusal where Adyen takes no more calls', async () => {
    standIn.setLine('overloaded')
    const request = authorization()

    expect(await gateway.authorize(request, patience())).toMatchObject({ code: 'gateway.rate-limit-exceeded' })
    expect(standIn.authorizations(request.invoiceId)).toEqual([])
  })
})

describe('a later step', () => {
  test('is pending until the notification, which tells the outcome', async () => {
    const { step, books } = await authorize()
    const request = { ...step(1_000), isFinal: true }

    const outcome = await gateway.capture(request, patience())

    expect(outcome).toMatchObject({ kind: 'pending' })
    expect(books()?.captured).toBe(1_000)
    expect(receiver.outcomeOf(request.reference)).toBeNull()
    expect(await standIn.send(receiver.url, standIn.outbox.splice(0))).toEqual({ status: 200, body: '[accepted]' })
    expect(receiver.outcomeOf(request.reference)).toEqual({
      kind: 'approved',
      gatewayOperationId: outcome.kind === 'pending' && outcome.gatewayOperationId,
      amountMinor: 1_000,
      currency: 'EUR',
    })
  })

  test('that Adyen does not do is declined by the notification alone', async () => {
    const { step, books } = await authorize()
    const request = { ...step(2_901), isFinal: true }

    expect((await gateway.capture(request, patience())).kind).toBe('pending')
    await standIn.send(receiver.url, standIn.outbox.splice(0))

    expect(receiver.outcomeOf(request.reference)).toEqual({
      kind: 'declined',
      code: 'gateway.declined',
      gatewayCode: 'Insufficient balance on payment',
    })
    expect(books()?.captured).toBe(0)
  })

  test('never leaves its payment, whatever the id says', async () => {
    const { step } = await authorize()

    await gateway.void({ ...step(2_900), gatewayAuthorizationId: '../payments' }, patience())

    expect(lastSeen()?.path).toMatch(/^\/v\d+\/payments\/\.\.%2Fpayments\/cancels$/)
  })

  test('of every kind ends by its notification, however late, often and out of order it comes', async () => {
    const raised = await authorize({ incremental: true })
    const released = await authorize()
    const paid = await authorize()
    const increment = { ...raised.step(500), targetTotalMinor: 3_400 }
    const release = released.step(2_900)
    const capture = { ...paid.step(2_900), isFinal: true }
    const refund = paid.step(900)
    await gateway.increment(increment, patience())
    await gateway.void(release, patience())
    await gateway.capture(capture, patience())
    await gateway.refund(refund, patience())
    expect(raised.books()?.authorized).toBe(3_400)

    const late = standIn.outbox.splice(0).reverse()
    for (const item of [...late, ...late]) await standIn.send(receiver.url, [item])

    const amountOf = (reference: string) => {
      const outcome = receiver.outcomeOf(reference)
      return outcome?.kind === 'approved' ? outcome.amountMinor : outcome?.kind
    }
    expect(amountOf(increment.reference)).toBe(500)
    expect(amountOf(release.reference)).toBe(2_900)
    expect(amountOf(capture.reference)).toBe(2_900)
    expect(amountOf(refund.reference)).toBe(900)
    const outcomes = [...receiver.kept.values()].filter(
      (one) =>
        one.kind === 'outcome' && [increment, release, capture, refund].some((r) => r.reference === one.reference),
    )
    expect(outcomes).toHaveLength(4)
  })
})

describe('a notification', () => {
  test('that is forged is not accepted, and nothing of it is kept', async () => {
    const { request, step } = await authorize()
    standIn.outbox.splice(0)
    standIn.tell('CHARGEBACK', true, {
      pspReference: 'DISPUTE00000001',
      originalReference: step(1).gatewayAuthorizationId,
      merchantReference: request.reference,
      amount: { value: 2_900, currency: 'EUR' },
    })
    const [item = {}] = standIn.outbox.splice(0)
    const before = receiver.kept.size

    expect((await standIn.send(receiver.url, [{ ...item, amount: { value: 1, currency: 'EUR' } }])).status).toBe(401)
    expect(receiver.kept.size).toBe(before)
    expect((await standIn.send(receiver.url, [item])).status).toBe(200)
    expect(receiver.kept.get('CHARGEBACK:DISPUTE00000001:true')).toMatchObject({
      kind: 'chargeback-created',
      gatewayAuthorizationId: step(1).gatewayAuthorizationId,
    })
  })

  test('tells of an approval whose answer got lost', async () => {
    standIn.setLine('losing')
    const request = authorization()
    expect((await gateway.authorize(request, patience())).kind).toBe('unknown')

    await standIn.send(receiver.url, standIn.outbox.splice(0))

    expect(receiver.outcomeOf(request.reference)).toMatchObject({ kind: 'approved', amountMinor: 2_900 })
  })
})
