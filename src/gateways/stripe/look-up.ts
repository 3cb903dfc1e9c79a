import type Stripe from 'stripe'
import type { LookUp, Outcome } from '../../../domain/operation.ts'
import type { LookUpRequest } from '../gateway.ts'
import { isMissing } from './failures.ts'
import { outcomeOfAuthorization, outcomeOfCancellation, outcomeOfRefund, outcomeOfStep } from './outcomes.ts'
import { EXPAND_CHARGE, REFERENCE } from './requests.ts'

/** "Occasionally, propagation of new or updated data can be up to an hour behind": twice that. Source: Stripe's page "Search". */
const SEARCH_LAG_MS = 2 * 60 * 60 * 1000

const PAGE = 100

/** What became of a call, by our reference. Throws what the library throws where Stripe does not tell. */
export async function lookUp(client: Stripe, request: LookUpRequest): Promise<LookUp> {
  const { gatewayAuthorizationId: id, reference, type } = request
  if (type === 'authorization') {
    const found = id ?? (await findAuthorization(client, reference))
    return found === null
      ? { kind: 'never-seen', lagMs: SEARCH_LAG_MS }
      : foundOr(outcomeOfAuthorization(await retrieveIntent(client, found)))
  }
  if (id === null) return { kind: 'unreachable', reason: 'The authorization of the step is not known.' }
  try {
    return foundOr(await outcomeOfLaterStep(client, id, reference, type))
  } catch (error) {
    // The authorization was made, so that whoever does not know it is another account than the one that we asked then.
    if (isMissing(error)) return { kind: 'unreachable', reason: 'The account does not know the authorization.' }
    throw error
  }
}

async function outcomeOfLaterStep(
  client: Stripe,
  id: string,
  reference: string,
  type: Exclude<LookUpRequest['type'], 'authorization'>,
): Promise<Outcome | null> {
  if (type === 'refund') {
    const refund = await findRefund(client, id, reference)
    return refund === null ? null : outcomeOfRefund(refund)
  }
  const intent = await retrieveIntent(client, id)
  if (type !== 'void') return outcomeOfStep(intent, reference, type === 'capture' ? 'capture' : 'increment')
  // A cancellation carries no reference. There is no more than one, because it leaves nothing to release.
  return intent.status === 'canceled' ? outcomeOfCancellation(intent) : outcomeOfStep(intent, reference, 'void')
}

/** `never-seen` for null, and `unreachable` for an outcome that tells nothing. */
export function foundOr(outcome: Outcome | null): LookUp {
  if (outcome === null) return { kind: 'never-seen' }
  return outcome.kind === 'unknown' ? unreachable(outcome) : { kind: 'found', outcome }
}

export type Unreachable = Extract<LookUp, { kind: 'unreachable' }>

/** A look-up that ended with this told nothing. */
export function unreachable(outcome: Outcome): Unreachable {
  switch (outcome.kind) {
    case 'unknown':
      return { kind: 'unreachable', reason: outcome.reason }
    case 'declined':
      return { kind: 'unreachable', reason: `Stripe told nothing: ${outcome.gatewayCode}.` }
    default:
      return { kind: 'unreachable', reason: 'Stripe told nothing.' }
  }
}

/** A PaymentIntent as it is now, with what the scheme said. Throws where something else comes than what was asked for. */
export async function retrieveIntent(client: Stripe, id: string): Promise<Stripe.PaymentIntent> {
  const intent = await client.paymentIntents.retrieve(id, { expand: EXPAND_CHARGE })
  if (intent.id !== id || typeof intent.currency !== 'string') throw new TypeError('Stripe told of something else.')
  return intent
}

/**
 * The id of the PaymentIntent that carries our reference, or null. Stripe's search shows what is new only after some seconds,
 * and in a disturbance later: that nothing is found proves nothing before that time is over.
 */
async function findAuthorization(client: Stripe, reference: string): Promise<string | null> {
  // A reference of ours has no quote in it; one that has is not searched for but found nowhere.
  if (!/^\w+$/.test(reference)) return null
  const found = await client.paymentIntents.search({ query: `metadata['${REFERENCE}']:'${reference}'`, limit: 1 })
  return found.data[0]?.id ?? null
}

/** The refund that carries our reference, or null. Lists are up to date, unlike searches. */
async function findRefund(client: Stripe, paymentIntent: string, reference: string): Promise<Stripe.Refund | null> {
  for await (const refund of client.refunds.list({ payment_intent: paymentIntent, limit: PAGE })) {
    if (refund.metadata?.[REFERENCE] === reference) return refund
  }
  return null
}
