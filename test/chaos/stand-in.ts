import type { DisputeStatus } from '../../domain/dispute.ts'
import type { GatewayOperationType } from '../../domain/operation.ts'
import type { EventName } from '../../domain/webhook-event.ts'
import { startAdyenStandIn } from '../../stand-ins/adyen/adyen.ts'
import type { FaultName } from '../../stand-ins/engine/faults.ts'
import type { Entry } from '../../stand-ins/engine/ledger.ts'
import type { GatewayModel } from '../../stand-ins/engine/model.ts'
import type { StandInOptions } from '../../stand-ins/engine/stand-in.ts'
import { startStripeStandIn } from '../../stand-ins/stripe/stripe.ts'
import type { PaymentBooks } from '../support/payment-books.ts'

/** What both stand-ins have alike. */
type Running = Pick<
  Awaited<ReturnType<typeof startStripeStandIn>>,
  'url' | 'controlUrl' | 'ledger' | 'faults' | 'notifier' | 'close'
> & {
  model: Pick<GatewayModel<never, never>, 'account' | 'visit' | 'openDispute' | 'endDispute'>
}

interface GatewayWithStandIn {
  gateway: 'stripe' | 'adyen'
  title: string
  start(options?: StandInOptions): Promise<Running>
  /** The setting of the service that says where it is. */
  setting: string
  /** What cannot go wrong there. */
  lacks: readonly FaultName[]
  /** Whether it is asked for an outcome; what the other one has told nobody is resolved by staff. */
  looksUp: boolean
  /** By how many times sooner it sends again what was not accepted: before an outage of half a minute is over it would wait for minutes. */
  hurry: number
}

/** The gateways whose place a stand-in takes. */
export const GATEWAYS: readonly GatewayWithStandIn[] = [
  {
    gateway: 'stripe',
    title: 'Stripe',
    start: startStripeStandIn,
    setting: 'SANDBOX_STRIPE_URL',
    lacks: [],
    looksUp: true,
    hurry: 60,
  },
  {
    gateway: 'adyen',
    title: 'Adyen',
    start: startAdyenStandIn,
    setting: 'SANDBOX_ADYEN_URL',
    lacks: ['stale-look-up'],
    looksUp: false,
    hurry: 5,
  },
]

/** A gateway, as a program inside this one. */
export type StandIn = GatewayWithStandIn & Running

export function startStandIns(): Promise<StandIn[]> {
  return Promise.all(GATEWAYS.map(async (one) => ({ ...one, ...(await one.start({ hurry: one.hurry })) })))
}

/** What all of them have done. */
export const ledgerOf = (standIns: readonly Pick<StandIn, 'ledger'>[]): Entry[] =>
  standIns.flatMap(({ ledger }) => ledger.entries)

const TYPES: Partial<Record<Entry['kind'], GatewayOperationType>> = {
  authorization: 'authorization',
  increment: 'increment_authorization',
  capture: 'capture',
  void: 'void',
  refund: 'refund',
}

/** What a gateway does about a dispute, with the event that tells it and the statuses that a dispute has from then on. */
const DISPUTED: readonly [Entry['kind'], EventName, readonly DisputeStatus[]][] = [
  ['dispute', 'transaction.chargeback.created', ['open', 'won', 'lost']],
  ['dispute-won', 'transaction.chargeback.won', ['won']],
  ['dispute-lost', 'transaction.chargeback.lost', ['lost']],
]

/** Every step of a dispute in the ledger is in the record, over its amount, and was told once. */
export function faultsOfDisputes({ transaction, events }: PaymentBooks, ledger: readonly Entry[]): string[] {
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
  return DISPUTED.flatMap(([kind, name, statuses]) => {
    const done = ledger.filter((entry) => entry.kind === kind && entry.invoice_id === transaction.invoiceId)
    const there = sum(done.map(({ amount_minor }) => amount_minor))
    const recorded = transaction.disputes.filter(({ status }) => statuses.includes(status))
    const here = sum(recorded.map(({ amountMinor }) => amountMinor))
    const told = events.filter((event) => event.name === name).length
    return [
      ...(here === there ? [] : [`${kind}: ${there} at the gateway, and ${here} is recorded`]),
      ...(told === done.length ? [] : [`${kind}: ${done.length} at the gateway, and ${name} was told ${told} times`]),
    ]
  })
}

/** The books of a payment at a stand-in, in which the ledger takes the place of the simulator's. */
export function withLedger(books: PaymentBooks, ledger: readonly Entry[]): PaymentBooks {
  const { transaction, operations } = books
  /** The ledger has what was approved. Of an approval for too little, which we have refused, the attempt has what was asked. */
  const askedFor = (reference: string) =>
    operations.some((row) => row.attemptOperationId === reference && row.gatewayCode === 'PARTIAL_APPROVAL')
      ? operations.find(({ id }) => id === reference)?.amountMinor
      : undefined
  const own = ledger.filter(({ invoice_id }) => invoice_id === transaction.invoiceId)
  const requests = own.flatMap(({ kind, reference, payment, amount_minor, currency, invoice_id }) => {
    const type = TYPES[kind]
    if (type === undefined || reference === null) return []
    const amountMinor = askedFor(reference) ?? amount_minor
    const asked = { reference, type, amountMinor, currency, invoiceId: invoice_id }
    return [{ ...asked, gatewayAuthorizationId: payment, outcome: { kind: 'approved' } }]
  })
  const authorizations = [...new Set(own.map(({ payment }) => payment))].map((gatewayAuthorizationId) => {
    const sum = (...kinds: Entry['kind'][]) =>
      own
        .filter(({ kind, payment }) => payment === gatewayAuthorizationId && kinds.includes(kind))
        .reduce((total, { amount_minor }) => total + amount_minor, 0)
    const capturedMinor = sum('capture')
    // What a capture leaves is released with it, which is no entry of its own.
    const voidedMinor = capturedMinor > 0 ? transaction.voidedMinor : sum('void')
    const authorizedMinor = sum('authorization', 'increment')
    return { gatewayAuthorizationId, authorizedMinor, capturedMinor, voidedMinor, refundedMinor: sum('refund') }
  })
  return {
    ...books,
    requests: requests as PaymentBooks['requests'],
    authorizations: authorizations as PaymentBooks['authorizations'],
  }
}
