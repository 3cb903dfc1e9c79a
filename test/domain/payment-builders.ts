import type { AuthorizeCommand, CaptureCommand, Command } from '../../domain/command.ts'
import { type Decision, decide } from '../../domain/decision.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import type { GatewayOperationType, Outcome } from '../../domain/operation.ts'
import {
  AUTHORIZATION_VALIDITY_MS,
  applyOutcome,
  beginAttempt,
  newPayment,
  type Payment,
} from '../../domain/payment.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'

export const AT = Date.parse('2026-11-21T09:00:00.000Z')
export const EXPIRES = AT + AUTHORIZATION_VALIDITY_MS
export const HOUR_MS = 60 * 60 * 1000

const base = { operationId: 'tr_op_1', actor: 'merchant', deadline: AT + 60_000 } as const

export const authorizeCommand = (overrides: Partial<AuthorizeCommand> = {}): AuthorizeCommand => ({
  ...base,
  kind: 'authorize',
  source: 'card_1',
  preferredScheme: null,
  initialSchemeTransactionId: null,
  incremental: false,
  autoCaptureAt: null,
  autoCaptureAmountMinor: null,
  capture: null,
  ...overrides,
})
export const captureCommand = (amountMinor: number | null = null): CaptureCommand => ({
  ...base,
  kind: 'capture',
  amountMinor,
})
export const incrementCommand = (amountMinor: number) => ({ ...base, kind: 'increment', amountMinor }) as const
export const voidCommand = (amountMinor: number | null = null, reason: 'authorization_expired' | null = null) =>
  ({ ...base, kind: 'void', amountMinor, reason }) as const
export const scheduleCommand = (autoCaptureAt: number, autoCaptureAmountMinor: number | null = null) =>
  ({ ...base, kind: 'schedule-capture', autoCaptureAt, autoCaptureAmountMinor }) as const

export const fresh = newPayment({ currency: 'EUR', amountMinor: 2_900, incremental: false })

export const authorized = (overrides: Partial<Payment> = {}): Payment => ({
  ...fresh,
  status: 'authorized',
  authorizedMinor: 2_900,
  authorizationExpiresAt: EXPIRES,
  ...overrides,
})
export const completed = (overrides: Partial<Payment> = {}) =>
  authorized({ status: 'completed', capturedMinor: 2_900, ...overrides })
export const voided = (overrides: Partial<Payment> = {}) =>
  authorized({ status: 'voided', voidedMinor: 2_900, ...overrides })
export const failed: Payment = { ...fresh, status: 'failed' }
export const inFlight = (type: GatewayOperationType, status: TransactionStatus): Payment =>
  authorized({ status, attemptInFlight: { operationId: 'tr_op_0', type } })

/** The whole of a decision in one word or two: a code, the answer without a gateway, or the amount that goes to it. */
export const short = (decision: Decision): ErrorCode | 'unchanged' | 'pending' | number => {
  if (decision.kind === 'proceed') return decision.amountMinor
  return decision.answer.kind === 'refused' ? decision.answer.code : decision.answer.kind
}

/** Begins what the command asks for and ends it with the outcome: one whole step. */
export const step = (
  payment: Payment,
  command: Exclude<Command, { kind: 'schedule-capture' }>,
  said: Outcome['kind'],
  at = AT,
) => {
  const decision = decide(payment, command, at)
  if (decision.kind !== 'proceed') throw new Error(`Expected the step to run, got ${JSON.stringify(decision.answer)}.`)
  const type = OPERATION_OF[command.kind]
  const begun = beginAttempt(payment, { operationId: command.operationId, type }, command, at)
  const isExpiry = command.kind === 'void' && command.reason !== null
  const ended = applyOutcome(begun.payment, { type, amountMinor: decision.amountMinor, begunAt: at, isExpiry }, said)
  return { payment: ended.payment, fires: [...begun.fires, ...ended.fires] }
}

export const OPERATION_OF = {
  authorize: 'authorization',
  capture: 'capture',
  increment: 'increment_authorization',
  void: 'void',
} as const
