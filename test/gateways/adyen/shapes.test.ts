import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createAdyen } from '../../../src/gateways/adyen/adapter.ts'
import type { AuthorizeRequest } from '../../../src/gateways/gateway.ts'
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
      { card: null, scheme: null, gatewayRequest: 'result-of-the-page' },
    ]
    for (const way of ways) await gateway.authorize(authorization(way), patience())
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

function nameOf(path: string): string {
  return `POST ${path.replace(/^\/v\d+/, '').replace(/^\/payments\/(?!details)[^/]+/, '/payments/{id}')}`
}
