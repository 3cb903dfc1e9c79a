import { activeAttempts, type Payment } from './payment.ts'

/**
 * Why a payment is not voided when somebody cancels its workflow; null if it is. Only what certainly holds reserved money and
 * nothing else is voided: whoever may write to Temporal can ask for it, without our signature.
 */
export function cancellationHindrance(payment: Payment): string | null {
  const { status, capturedMinor } = payment
  const [open] = activeAttempts(payment)
  if (open?.awaitsCustomerUntil !== undefined) return 'Its customer is authenticating; have the merchant void it.'
  if (open !== undefined)
    return `The outcome of its ${open.type.replaceAll('_', ' ')} is not known yet; wait for the look-ups, or have support staff resolve it.`
  if (capturedMinor > 0) return 'Money of it is captured; have the merchant refund it.'
  if (status !== 'authorized') return `It is ${status ?? 'not begun'}; it holds no money.`
  return null
}
