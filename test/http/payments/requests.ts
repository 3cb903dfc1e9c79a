import type { TransactionStatus } from '../../../domain/transaction.ts'
import type { PaymentRequest, Verb } from '../../../src/http/payments/plan.ts'
import type { PaymentOptions } from '../../../src/http/schemas/payment-options.ts'
import { makeRows } from '../../persistence/rows.ts'

export const NOW = new Date('2026-11-21T09:00:00.000Z')
export const TOMORROW = new Date('2026-11-22T09:00:00.000Z')

const NO_OPTIONS: PaymentOptions = {
  source: null,
  continuation: null,
  handlesActions: false,
  externalAuthentication: null,
  authorizeOnly: undefined,
  autoCaptureAt: null,
  cancelsAutoCapture: false,
  selection: { amountMinor: null, detailIds: null },
  captureType: null,
  preferredScheme: null,
  incremental: undefined,
  initialSchemeTransactionId: null,
  mayFallBackToSale: false,
  saveSource: false,
  overrideMacBlocking: false,
  newSourceOnly: false,
}

export const amount = (amountMinor: number) => ({ selection: { amountMinor, detailIds: null } })
export const lines = (amountMinor: number) => ({ selection: { amountMinor, detailIds: ['iv_det_1'] } })

/** How the invoice and its payment stand. */
export interface Situation {
  status?: TransactionStatus
  invoiceCapturesAt?: Date
  scheduled?: boolean
  verification?: boolean
  bypassesIncremental?: boolean
  capturedMinor?: number
  incremental?: boolean
}

export const rows = makeRows('plan')

export function requestFor(
  verb: Verb,
  options: Partial<PaymentOptions>,
  { status, ...situation }: Situation = {},
): PaymentRequest {
  const capturedMinor = situation.capturedMinor ?? (status === 'completed' ? 2900 : 0)
  return {
    verb,
    options: { ...NO_OPTIONS, ...options },
    actor: 'merchant',
    idempotency: null,
    invoice: {
      ...rows.invoice,
      amountMinor: 2900,
      incremental: false,
      verification: situation.verification === true,
      bypassIncrementalAuthorization: situation.bypassesIncremental === true,
      autoCaptureAt: situation.invoiceCapturesAt ?? null,
    },
    transaction: status
      ? {
          ...rows.transaction,
          status,
          authorizedMinor: 2900,
          capturedMinor,
          voidedMinor: status === 'voided' ? 2900 : 0,
          incremental: situation.incremental === true,
          autoCaptureAt: situation.scheduled ? TOMORROW : null,
        }
      : null,
    continues: null,
  }
}
