import type { Outcome } from '../../../domain/operation.ts'
import type { AuthorizeRequest, Gateway } from '../../../src/gateways/gateway.ts'
import { createStripeGateway } from '../../../src/gateways/stripe/adapter.ts'
import type { Arrived } from '../../../stand-ins/engine/model.ts'
import type { Fields } from '../../../stand-ins/stripe/books.ts'
import { startStripeStandIn } from '../../../stand-ins/stripe/stripe.ts'
import { CUSTOMER_PRESENT, EXTERNAL, NOBODY_TO_ACT } from '../contract-authentication.ts'
import { authorization, continuing, followUp, patience } from './builders.ts'

const NEEDS_AUTHENTICATION = '4000002500003155'

/** Lets the adapter make every request that it can make, in every variation; answers with what arrived at a stand-in. */
export async function liveThroughPayments(): Promise<readonly Arrived<Fields>[]> {
  const standIn = await startStripeStandIn()
  try {
    const gateway = createStripeGateway({ baseUrl: standIn.url })
    const sources = await authorizeInEveryWay(gateway)
    const waiting = [...standIn.books.intents.keys()].slice(-2)
    const [confirmed = '', ended = ''] = waiting
    const [reference, endedReference] = waiting.map((id) => standIn.books.intents.get(id)?.metadata.reference ?? '')
    standIn.books.awaitConfirmation(confirmed)
    await gateway.continueAuthorization?.(continuing(confirmed, { reference: reference ?? '' }), patience())
    const end = { ...authorization(), reference: endedReference ?? '', continuation: ended }
    const question = { ...end, type: 'authorization', gatewayAuthorizationId: null } as const
    await gateway.endAuthentication?.(question, patience())
    await stepThrough(gateway, sources)
    return standIn.arrived
  } finally {
    await standIn.close()
  }
}

/** The ids of the approved authorizations; the last two that were made wait for their customers. */
async function authorizeInEveryWay(gateway: Gateway): Promise<string[]> {
  const { card } = authorization()
  const ways: Partial<AuthorizeRequest>[] = [
    { authentication: CUSTOMER_PRESENT, statementDescriptor: 'Order 42' },
    { scheme: 'carte bancaire', incremental: false, settings: { multicapture: 'never' } },
    { card: card && { ...card, name: null, cvc: null }, scheme: null },
    {
      isMerchantInitiated: true,
      initialSchemeTransactionId: '976910110049114',
      settings: { mit_exemption: 'enabled' },
    },
    { authentication: { ...NOBODY_TO_ACT, external: EXTERNAL } },
    { authentication: { ...CUSTOMER_PRESENT, isRequired: true } },
    { card: card && { ...card, number: NEEDS_AUTHENTICATION }, authentication: CUSTOMER_PRESENT },
  ]
  const outcomes: Outcome[] = []
  for (const [index, way] of ways.entries())
    outcomes.push(await gateway.authorize(authorization({ ...way, reference: `tr_op_way_${index}` }), patience()))
  return outcomes.flatMap((outcome) => (outcome.kind === 'approved' ? [outcome.gatewayOperationId] : []))
}

async function stepThrough(gateway: Gateway, [captured = '', plain = '', raised = '', rest = '']: readonly string[]) {
  const step = (id: string, reference: string, amountMinor = 1_000) => followUp(id, { reference, amountMinor })
  await gateway.capture({ ...step(captured, 'tr_op_part'), isFinal: false }, patience())
  await gateway.capture({ ...step(captured, 'tr_op_final'), isFinal: true }, patience())
  await gateway.refund(step(captured, 'tr_op_refund'), patience())
  await gateway.void(step(plain, 'tr_op_void', 2_900), patience())
  await gateway.increment({ ...step(raised, 'tr_op_raise'), targetTotalMinor: 3_900 }, patience())
  await gateway.capture({ ...step(rest, 'tr_op_first'), isFinal: false }, patience())
  await gateway.void(step(rest, 'tr_op_rest', 1_900), patience())
  const questions = [
    { type: 'authorization', reference: 'tr_op_way_0', gatewayAuthorizationId: null },
    { type: 'capture', reference: 'tr_op_part', gatewayAuthorizationId: captured },
    { type: 'refund', reference: 'tr_op_refund', gatewayAuthorizationId: captured },
    { type: 'void', reference: 'tr_op_void', gatewayAuthorizationId: plain },
    { type: 'increment_authorization', reference: 'tr_op_raise', gatewayAuthorizationId: raised },
  ] as const
  for (const question of questions) {
    const found = await gateway.lookUp({ ...authorization(), ...question }, patience())
    if (found.kind !== 'found') throw new Error(`The ${question.type} was not made: ${JSON.stringify(found)}.`)
  }
}
