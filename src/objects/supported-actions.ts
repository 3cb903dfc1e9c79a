import { INCREMENT_ATTEMPTS_MAX } from '../../domain/decision.ts'
import { disputedMinor } from '../../domain/dispute.ts'
import { activeAttempts, attemptOfCustomer, CAPTURES_MAX, isDisputed } from '../../domain/payment.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'

export const SUPPORTED_ACTIONS = [
  'capture',
  'partial_capture',
  'void',
  'partial_void',
  'increment_authorization',
  'refund',
  'partial_refund',
] as const
export type SupportedAction = (typeof SUPPORTED_ACTIONS)[number]

/**
 * What the merchant may still ask for, so that a flow can see that, for one, no increment is possible and adapt.
 * While a step on the reserved money is under way nothing else may touch it; refunds do not get in its way.
 */
export function supportedActions(row: TransactionRow): SupportedAction[] {
  return [...onReserved(row), ...onCaptured(row)]
}

function onReserved(row: TransactionRow): SupportedAction[] {
  const { capabilities } = row
  // The authorization has no outcome yet; a void gives it up.
  if (row.status === 'pending' || attemptOfCustomer(row) !== null) return ['void']
  const reserved = row.authorizedMinor - row.capturedMinor - row.voidedMinor
  const isBusy = activeAttempts(row).some(({ type }) => type !== 'refund')
  if (reserved <= 0 || isBusy || row.status === 'voided') return []
  const mayCapture = !isDisputed(row.status) && row.capturesCount < CAPTURES_MAX
  const mayIncrement =
    row.status === 'authorized' &&
    row.incremental &&
    capabilities.incrementalAuthorization &&
    row.incrementAttempts < INCREMENT_ATTEMPTS_MAX
  return [
    ...(mayCapture ? (['capture'] as const) : []),
    ...(mayCapture && capabilities.partialCapture ? (['partial_capture'] as const) : []),
    'void',
    ...(capabilities.partialVoid ? (['partial_void'] as const) : []),
    ...(mayIncrement ? (['increment_authorization'] as const) : []),
  ]
}

const REFUNDABLE: readonly TransactionRow['status'][] = [
  'completed',
  'partially-refunded',
  'retrieval-request',
  'fraud-notification',
  'chargeback-initiated',
  'solved',
  'reversed',
]

function onCaptured(row: TransactionRow): SupportedAction[] {
  const { capabilities } = row
  const refundable = row.capturedMinor - row.refundedMinor - row.refundingMinor - disputedMinor(row)
  if (!capabilities.refund || refundable <= 0 || !REFUNDABLE.includes(row.status)) return []
  if (!capabilities.partialRefund) return refundable === row.capturedMinor ? ['refund'] : []
  return ['refund', 'partial_refund']
}
