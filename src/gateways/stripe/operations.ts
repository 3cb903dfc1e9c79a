import type Stripe from 'stripe'
import type { ListedOperation } from '../../../domain/recovery.ts'
import type { ListRequest, OperationPage } from '../gateway.ts'
import { fromStripeAmount } from './amounts.ts'
import { retrieveIntent } from './look-up.ts'
import { grantedBy, outcomeOfAuthorization, outcomeOfCancellation } from './outcomes.ts'
import { INVOICE_ID, marksOf, REFERENCE, raisedBy } from './requests.ts'

const PAGE = 100

/** PaymentIntents that are read at once; Stripe allows an account a hundred reads a second, a test key 25. */
const READ_AT_ONCE = 8

/**
 * What says that a PaymentIntent has changed. The list of PaymentIntents itself knows when one was made, and not that one of
 * last week was captured or refunded today. Source: Stripe's page "Types of events".
 */
const EVENTS: string[] = [
  'charge.captured',
  'charge.updated',
  'payment_intent.amount_capturable_updated',
  'payment_intent.canceled',
  'payment_intent.processing',
  'payment_intent.succeeded',
  'refund.created',
  'refund.updated',
]

const TYPES = { capture: 'capture', increment: 'increment_authorization', void: 'void' } as const

/**
 * A page of the PaymentIntents of which events tell, the newest first, with all their operations as they are now. Stripe
 * keeps events for 30 days. Throws what the library throws where Stripe does not answer.
 */
export async function listOperations(
  client: Stripe,
  { from, until, cursor }: Pick<ListRequest, 'from' | 'until' | 'cursor'>,
): Promise<OperationPage> {
  const page = await client.events.list({
    types: EVENTS,
    created: { gte: Math.floor(from.getTime() / 1000), lt: Math.ceil(until.getTime() / 1000) },
    limit: PAGE,
    ...(cursor !== null && { starting_after: cursor }),
  })
  const changed = [...changesIn(page.data)]
  const operations: ListedOperation[] = []
  try {
    for (let first = 0; first < changed.length; first += READ_AT_ONCE)
      operations.push(...(await Promise.all(changed.slice(first, first + READ_AT_ONCE).map(read(client)))).flat())
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return { kind: 'unreachable', reason: `Stripe tells no amount or date of ${error.message}.` }
  }
  return { kind: 'page', operations, next: page.has_more ? (page.data.at(-1)?.id ?? null) : null }
}

/** When each PaymentIntent last changed, in seconds; 0 where only its refunds have. */
function changesIn(events: readonly Stripe.Event[]): Map<string, number> {
  const changed = new Map<string, number>()
  for (const { data, created } of events) {
    const object = data.object as unknown as Pick<
      Stripe.PaymentIntent | Stripe.Charge | Stripe.Refund,
      'object' | 'id'
    > &
      Partial<Pick<Stripe.Refund, 'payment_intent'>>
    const named = object.object === 'payment_intent' ? object.id : object.payment_intent
    const id = typeof named === 'object' ? named?.id : named
    // Of what is sold by other means than PaymentIntents.
    if (typeof id !== 'string') continue
    const at = object.object === 'refund' ? 0 : created
    changed.set(id, Math.max(at, changed.get(id) ?? 0))
  }
  return changed
}

const read =
  (client: Stripe) =>
  async ([id, changedAt]: [string, number]): Promise<ListedOperation[]> => {
    const intent = await retrieveIntent(client, id)
    const refunds: Stripe.Refund[] = []
    if (intent.amount_received > 0)
      for await (const refund of client.refunds.list({ payment_intent: id, limit: PAGE })) refunds.push(refund)
    const operations = operationsOf(intent, refunds, changedAt)
    for (const { amountMinor, at } of operations)
      if (!Number.isSafeInteger(amountMinor) || !Number.isSafeInteger(at)) throw new Unreadable(id)
    return operations
  }

/** A PaymentIntent that may have moved money, and does not say how much. It must not be left out unseen. */
class Unreadable extends Error {}

/** The states of a PaymentIntent whose card was not tried, or will be once more. */
const UNTRIED: ReadonlySet<string> = new Set(['requires_payment_method', 'requires_confirmation'])

/** The operations of a PaymentIntent, in the order in which they can have been made. */
function operationsOf(
  intent: Stripe.PaymentIntent,
  refunds: readonly Stripe.Refund[],
  changedAt: number,
): ListedOperation[] {
  const { id, metadata, currency, created, status } = intent
  const approval = outcomeOfAuthorization(intent)
  if (approval.kind === 'unknown' && !UNTRIED.has(status)) throw new Unreadable(id)
  if (approval.kind !== 'approved' && approval.kind !== 'pending') return []
  const marks = marksOf(metadata)
  const isReleasedApart = marks.some(({ step }) => step === 'void')
  const shared = {
    invoiceId: metadata[INVOICE_ID] ?? null,
    gatewayAuthorizationId: id,
    currency: currency.toUpperCase(),
    isFinal: status === 'succeeded' && !isReleasedApart,
    at: lastMsOf(changedAt > 0 ? changedAt : created),
  }
  const operation = (
    type: ListedOperation['type'],
    reference: string | null | undefined,
    amount: number,
    at = shared.at,
  ): ListedOperation => {
    return { ...shared, type, reference: reference ?? null, amountMinor: fromStripeAmount(amount, currency), at }
  }
  const steps = (wanted: keyof typeof TYPES) =>
    marks
      .filter(({ step }) => step === wanted)
      .map(({ reference, step, amount }) => operation(TYPES[step], reference, amount))
  const canceled = outcomeOfCancellation(intent)
  if (status === 'canceled' && canceled.kind !== 'approved') throw new Unreadable(id)
  return [
    operation('authorization', metadata[REFERENCE], grantedBy(intent) - raisedBy(metadata), created * 1000),
    ...steps('increment'),
    ...steps('capture'),
    ...steps('void'),
    // A cancellation carries no reference, and so nobody can tell who has made it.
    ...(canceled.kind === 'approved' ? [{ ...operation('void', null, 0), amountMinor: canceled.amountMinor }] : []),
    ...refunds
      .filter((refund) => refund.status !== 'failed' && refund.status !== 'canceled')
      .map((refund) => operation('refund', refund.metadata?.[REFERENCE], refund.amount, lastMsOf(refund.created))),
  ]
}

/** The end of the second in which something was done, so that it is not taken for something before it. */
const lastMsOf = (seconds: number) => seconds * 1000 + 999
