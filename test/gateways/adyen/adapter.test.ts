import { describe, expect, test } from '@jest/globals'
import { readAccount } from '../../../src/gateways/adyen/account.ts'
import { createAdyen } from '../../../src/gateways/adyen/adapter.ts'
import { createHttpClient } from '../../../src/gateways/adyen/http-client.ts'
import { paymentRequest } from '../../../src/gateways/adyen/requests.ts'
import { startAdyenStandIn } from '../../../stand-ins/adyen/adyen.ts'
import { forFile, openForFile } from '../../support/for-file.ts'
import type { Trouble } from '../contract/harness.ts'
import { openLines } from '../line.ts'
import { startReceiver } from '../receiver.ts'
import { ACCESS, cardOf, makeRequests, patience } from './fixture.ts'

const { authorization, followUp } = makeRequests('adyen-adapter')
const standIn = openForFile(() => startAdyenStandIn())
const gateway = forFile(async () => createAdyen({ baseUrl: standIn.url }))
const receiver = openForFile(() => startReceiver(gateway, ACCESS))

const lastSeen = () => standIn.arrived.at(-1)

const authorize = async (overrides: Parameters<typeof authorization>[0] = {}) => {
  const request = authorization(overrides)
  const outcome = await gateway.authorize(request, patience())
  if (outcome.kind !== 'approved') throw new Error(`Expected an approval, got ${JSON.stringify(outcome)}.`)
  const id = outcome.gatewayOperationId
  return {
    request,
    outcome,
    step: (amountMinor: number) => followUp(request, id, amountMinor),
    books: () => standIn.books.authorizations(request.invoiceId)[0],
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
    const account = readAccount(ACCESS.credentials, ACCESS.settings)
    if ('problem' in account || request.card === null) throw new Error('The request is whole.')
    const body = paymentRequest(request, request.card, { value: 2_900, currency: 'EUR' }, account)
    expect(lastSeen()?.fields).toEqual(JSON.parse(JSON.stringify(body)))
  })

  test('is one call for one question, whatever the answer', async () => {
    const lines = await openLines(standIn.url, () => true)
    const troubles: Trouble[] = [500, 308, 429].map((status) => ({ kind: 'quotes-requests', status }))
    for (const trouble of [...troubles, { kind: 'loses-answers' }, { kind: 'answers', text: '{}' }] as const) {
      const before = standIn.arrived.length
      await createAdyen({ baseUrl: await lines.open(trouble) }).authorize(authorization(), patience())
      expect(standIn.arrived.length - before).toBe(1)
    }
    await lines.close()
  })

  test('is nothing where the account lacks something, or the amount cannot be written', async () => {
    const before = standIn.arrived.length
    const { returnUrl: _, ...settings } = ACCESS.settings

    expect(await gateway.authorize(authorization({ settings }), patience())).toEqual({
      kind: 'declined',
      code: 'gateway.configuration-error',
      gatewayCode: 'returnUrl',
    })
    expect(await gateway.authorize(authorization({ currency: 'CVE', amountMinor: 150 }), patience())).toMatchObject({
      code: 'gateway.unsupported-currency',
    })
    expect(standIn.arrived.length).toBe(before)
  })
})

test('a stand-in takes the place of the test host and of no live one', async () => {
  const before = standIn.arrived.length
  const live = 'https://shop-checkout-live.invalid/checkout/v72/payments'

  const call = createHttpClient(standIn.url).request(live, '{}', {} as never, true)

  await expect(call).rejects.toMatchObject({ failure: { kind: 'not-sent' } })
  expect(standIn.arrived.length).toBe(before)
})

describe('a payment', () => {
  test('with a number that is none is declined, and the number is told to nobody', async () => {
    const outcome = await gateway.authorize(authorization({ card: cardOf('Ada', { number: '41111111' }) }), patience())

    expect(outcome).toEqual({ kind: 'declined', code: 'card.invalid-account', gatewayCode: '101' })
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

describe('a later step', () => {
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

    for (const { reference, amountMinor } of [increment, release, capture, refund]) {
      expect(receiver.outcomeOf(reference)).toMatchObject({ kind: 'approved', amountMinor })
      expect([...receiver.kept.values()].filter((one) => one.reference === reference)).toHaveLength(1)
    }
  })
})
