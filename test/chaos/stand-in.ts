import type { GatewayOperationType } from '../../domain/operation.ts'
import type { Entry } from '../../stand-ins/engine/ledger.ts'
import type { startStripeStandIn } from '../../stand-ins/stripe/stripe.ts'
import type { PaymentBooks } from '../support/payment-books.ts'

/** Stripe, as a program inside this one. */
export type StandIn = Awaited<ReturnType<typeof startStripeStandIn>>

const TYPES: Partial<Record<Entry['kind'], GatewayOperationType>> = {
  authorization: 'authorization',
  increment: 'increment_authorization',
  capture: 'capture',
  void: 'void',
  refund: 'refund',
}

/** The books of a payment at the stand-in, in which the ledger takes the place of the simulator's. */
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
