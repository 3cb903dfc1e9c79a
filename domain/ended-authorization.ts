import { activeAttempts, type Payment, reservedMinor } from './payment.ts'

/** What a gateway tells of an authorization that has ended there: it holds nothing any more, and took this in all. */
export interface EndedAuthorization {
  capturedMinor: number
  currency: string
  /** False where the payment stands on another authorization, or on none. */
  isOfPayment: boolean
}

/**
 * The payment after its gateway has told that the authorization has ended. Where as much was captured as is recorded,
 * whatever is still reserved was released there: the authorization ends now, and its end is recorded like any other.
 * Where another amount was captured, staff have to look. `waiting`: the outcome of a step under way may explain it.
 * `at` is workflow time.
 */
export function endAuthorization(
  payment: Payment,
  { capturedMinor, currency, isOfPayment }: EndedAuthorization,
  at: number,
): Payment | 'waiting' {
  if (activeAttempts(payment).some(({ type }) => type !== 'refund')) return 'waiting'
  if (!isOfPayment) return capturedMinor === 0 ? payment : { ...payment, needsAttention: true }
  if (capturedMinor !== payment.capturedMinor || currency !== payment.currency)
    return { ...payment, needsAttention: true }
  const { authorizationExpiresAt: endsAt } = payment
  if (endsAt === null || reservedMinor(payment) === 0) return payment
  // The merchant need not be told that it is about to end.
  return { ...payment, authorizationExpiresAt: Math.min(endsAt, at), expiryAnnounced: true }
}
