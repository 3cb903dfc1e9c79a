import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createAdyen } from '../../../src/gateways/adyen/adapter.ts'
import type { AuthorizeRequest, Gateway, GatewayCard } from '../../../src/gateways/gateway.ts'
import { CUSTOMER_PRESENT, expectAction, goOn, NOBODY_TO_ACT } from '../contract-authentication.ts'
import { BROWSER, EXTERNAL } from './authentication-fixture.ts'
import { ACCESS, cardOf, makeRequests, patience } from './fixture.ts'
import { problemsOf } from './published-types.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

/** Of every request that the adapter makes the type of its body, by the end of its path. */
const TYPES: Readonly<Record<string, string>> = {
  'POST /payments': 'PaymentRequest',
  'POST /payments/details': 'PaymentDetailsRequest',
  'POST /payments/{id}/amountUpdates': 'PaymentAmountUpdateRequest',
  'POST /payments/{id}/cancels': 'PaymentCancelRequest',
  'POST /payments/{id}/captures': 'PaymentCaptureRequest',
  'POST /payments/{id}/refunds': 'PaymentRefundRequest',
}

const { authorization, followUp } = makeRequests('adyen-shapes')

describe('the requests to Adyen are such as its published description allows', () => {
  let standIn: StandIn
  beforeAll(async () => {
    standIn = await startStandIn()
  })
  afterAll(() => standIn.close())

  test.each<[string, object]>([
    ['PaymentRequest.approveInPrinciple: is not published', { approveInPrinciple: true }],
    ['PaymentRequest.amount.value: is no number', { amount: { value: '2900', currency: 'EUR' } }],
    ['PaymentRequest.amount.currency: is missing', { amount: { value: 2_900 } }],
    ['PaymentRequest.shopperInteraction: "Sometimes" is not published', { shopperInteraction: 'Sometimes' }],
    ['PaymentRequest.metadata.invoiceId: is no string', { metadata: { invoiceId: 7 } }],
    ['PaymentRequest.paymentMethod.pan: is not published', { paymentMethod: { type: 'scheme', pan: '4111' } }],
    [
      'PaymentRequest.authenticationData.threeDSRequestData: is no object',
      { authenticationData: { threeDSRequestData: [] } },
    ],
  ])('and one that is not is found out: %s', async (problem, change) => {
    await createAdyen({ baseUrl: standIn.url }).authorize(authorization(), patience())
    const body = standIn.seen.at(-1)?.body

    expect(problemsOf('PaymentRequest', body)).toEqual([])
    expect(problemsOf('PaymentRequest', { ...body, ...change })).toEqual([problem])
  })

  test('in every variation that the adapter sends', async () => {
    const gateway = createAdyen({ baseUrl: standIn.url })
    const { settings } = ACCESS
    const ways: Partial<AuthorizeRequest>[] = [
      { incremental: true, statementDescriptor: 'Order 42', scheme: 'carte bancaire' },
      { card: cardOf('Ada', { cvc: null, name: null }), isMerchantInitiated: true, scheme: null },
      { isMerchantInitiated: true, initialSchemeTransactionId: '016150703802094' },
      { settings: { ...settings, cardData: 'test-encrypted' } },
      { settings: { ...settings, allowPartialApproval: 'true' } },
      { settings: { ...settings, recurringProcessingModel: 'Subscription' }, isMerchantInitiated: true },
      { authentication: CUSTOMER_PRESENT },
      {
        authentication: {
          ...{ ...CUSTOMER_PRESENT, browser: BROWSER, isRequired: true },
          ...{ challengeIndicator: 'challenge-requested-mandate', exemption: 'low-value' },
        },
      },
      { authentication: { ...NOBODY_TO_ACT, external: EXTERNAL } },
    ]
    for (const way of ways) await gateway.authorize(authorization(way), patience())
    for (const name of ['REDIRECT', 'REDIRECT_POST', 'NATIVE', 'NATIVE_WITHOUT_METHOD'])
      await authenticate(gateway, standIn, cardOf(name))
    const request = authorization({ incremental: true })
    const outcome = await gateway.authorize(request, patience())
    const id = outcome.kind === 'approved' ? outcome.gatewayOperationId : ''
    await gateway.increment({ ...followUp(request, id, 100), targetTotalMinor: 3_000 }, patience())
    await gateway.capture({ ...followUp(request, id, 3_000), isFinal: true }, patience())
    await gateway.refund(followUp(request, id, 100), patience())
    await gateway.void(followUp(request, id, 100), patience())

    const sent = standIn.seen.map(({ path, body }) => ({ name: nameOf(path), body }))
    expect([...new Set(sent.map(({ name }) => name))].sort()).toEqual(Object.keys(TYPES))
    expect(sent.flatMap(({ name, body }) => problemsOf(TYPES[name] ?? '', body))).toEqual([])
  })
})

/** Lets the customer pass every action that is asked for. */
async function authenticate(gateway: Gateway, standIn: StandIn, card: GatewayCard): Promise<void> {
  const request = authorization({ card, authentication: { ...CUSTOMER_PRESENT, browser: BROWSER } })
  let outcome = await gateway.authorize(request, patience())
  while (outcome.kind === 'action-required') {
    const action = expectAction(outcome)
    if (!('page' in action)) throw new Error('Adyen asks for pages only.')
    const parameters = standIn.visit(action.page.url, action.page.fields, true)
    outcome = await goOn(gateway, request, action.continuation, { kind: 'returned', parameters })
  }
  expect(outcome.kind).toBe('approved')
}

function nameOf(path: string): string {
  return `POST ${path.replace(/^\/v\d+/, '').replace(/^\/payments\/(?!details)[^/]+/, '/payments/{id}')}`
}
