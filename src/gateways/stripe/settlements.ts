import type Stripe from 'stripe'
import type { BookedType, SettlementLine } from '../../../domain/books.ts'
import type { ListRequest, SettlementPage } from '../gateway.ts'
import { fromStripeAmount } from './amounts.ts'
import { REFERENCE } from './requests.ts'

const PAGE = 100

/** What is booked as capture or refund, and what takes one back. Source: Stripe's page "Balance transaction types". */
const TYPES: Readonly<Record<string, { type: BookedType; state: SettlementLine['state'] }>> = {
  charge: { type: 'capture', state: 'booked' },
  payment: { type: 'capture', state: 'booked' },
  payment_failure_refund: { type: 'capture', state: 'reversed' },
  payment_reversal: { type: 'capture', state: 'reversed' },
  refund: { type: 'refund', state: 'booked' },
  payment_refund: { type: 'refund', state: 'booked' },
  refund_failure: { type: 'refund', state: 'reversed' },
}

/** A page of Stripe's balance transactions, the newest first. Throws what the library throws where Stripe does not answer. */
export async function listSettlements(
  client: Stripe,
  { from, until, cursor }: Pick<ListRequest, 'from' | 'until' | 'cursor'>,
): Promise<SettlementPage> {
  const page = await client.balanceTransactions.list({
    created: { gte: secondsOf(from), lt: secondsOf(until) },
    limit: PAGE,
    expand: ['data.source'],
    ...(cursor !== null && { starting_after: cursor }),
  })
  const lines = page.data.map(lineOf)
  if (lines.includes('unreadable'))
    return { kind: 'unreachable', reason: 'Stripe lists a line without an id, an amount or a currency.' }
  return {
    kind: 'page',
    lines: lines.filter((line) => line !== null && line !== 'unreadable'),
    next: page.has_more ? (page.data.at(-1)?.id ?? null) : null,
  }
}

/** Seconds since the epoch. A day begins and ends at a whole second. */
const secondsOf = (instant: Date) => Math.ceil(instant.getTime() / 1000)

/** Null for what is neither: fees, payouts, disputes. */
function lineOf(booked: Stripe.BalanceTransaction): SettlementLine | 'unreadable' | null {
  const kind = TYPES[booked.type]
  if (kind === undefined) return null
  const { source } = booked
  const about = typeof source === 'string' || source === null ? null : source
  const { amount, currency } = amountOf(booked, about)
  const amountMinor = Math.abs(fromStripeAmount(amount, currency))
  if (typeof booked.id !== 'string' || !Number.isSafeInteger(amountMinor) || !Number.isSafeInteger(booked.created))
    return 'unreadable'
  return {
    ...kind,
    id: booked.id,
    // Of captures Stripe repeats no reference of the step: they are known by their PaymentIntent and their amount.
    reference: about?.object === 'refund' ? (about.metadata?.[REFERENCE] ?? null) : null,
    gatewayReference: nameOf(about) ?? (typeof source === 'string' ? source : null),
    amountMinor,
    currency: currency.toUpperCase(),
    bookedAt: booked.created * 1000,
  }
}

/** The amount that was asked for. Where Stripe has converted it into the currency of the account, only the source has it. */
function amountOf(booked: Stripe.BalanceTransaction, source: Stripe.BalanceTransactionSource | null) {
  if (booked.exchange_rate == null) return booked
  if (source?.object === 'charge') return { amount: source.amount_captured, currency: source.currency }
  return source?.object === 'refund' ? source : booked
}

/** What our books call the step: a capture by its PaymentIntent, a refund by its own id. */
function nameOf(source: Stripe.BalanceTransactionSource | null): string | null {
  if (source?.object !== 'charge') return source?.id ?? null
  const intent = source.payment_intent
  return (typeof intent === 'string' ? intent : intent?.id) ?? source.id
}
