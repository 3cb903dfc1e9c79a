import { ALL_CAPABILITIES, type Capabilities } from '../../domain/capabilities.ts'
import type {
  AuthorizeCommand,
  CaptureCommand,
  DecidedCommand,
  IncrementCommand,
  PayCommand,
  RefundCommand,
  ReverseOrphanCommand,
  ScheduleCaptureCommand,
  VoidCommand,
} from '../../domain/command.ts'
import { type Decision, decide } from '../../domain/decision.ts'
import type { ErrorCode } from '../../domain/errors.ts'
import { firstLookUp } from '../../domain/look-up.ts'
import type { GatewayOperationType } from '../../domain/operation.ts'
import type { InvoiceTerms } from '../../domain/pay.ts'
import { type AttemptInFlight, beginAttempt, newPayment, type Payment } from '../../domain/payment.ts'
import { type AttemptFacts, abandonAttempt, applyOutcome, type ReportedResult } from '../../domain/payment-outcome.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'

export const AT = Date.parse('2026-11-21T09:00:00.000Z')
export const HOUR_MS = 60 * 60 * 1000
export const DAY_MS = 24 * HOUR_MS
export const EXPIRES = AT + 7 * DAY_MS

const base = { operationId: 'tr_op_1', actor: 'merchant', deadline: AT + 60_000, idempotency: null } as const

export const authorizeCommand = (overrides: Partial<AuthorizeCommand> = {}): AuthorizeCommand => ({
  ...base,
  kind: 'authorize',
  currency: 'EUR',
  source: 'card_1',
  preferredScheme: null,
  initialSchemeTransactionId: null,
  incremental: false,
  mayFallBackToSale: false,
  saveSource: false,
  autoCaptureAt: null,
  autoCaptureAmountMinor: null,
  autoCaptureDetailIds: null,
  autoCaptureIsFinal: true,
  capturesAtOnce: false,
  ...overrides,
})
/** The authorization of a sale. */
export const saleCommand = (amountMinor: number | null = null, overrides: Partial<AuthorizeCommand> = {}) =>
  authorizeCommand({ capturesAtOnce: true, autoCaptureAt: AT, autoCaptureAmountMinor: amountMinor, ...overrides })
/** A call of a server, with the options that are not given left out. */
export const payCommand = (overrides: Partial<PayCommand> = {}): PayCommand => ({
  ...base,
  kind: 'pay',
  call: 'authorize',
  captureOperationId: 'tr_op_2',
  currency: 'EUR',
  source: null,
  authorizeOnly: null,
  autoCaptureAt: null,
  amountMinor: null,
  detailIds: null,
  captureType: null,
  incremental: null,
  preferredScheme: null,
  initialSchemeTransactionId: null,
  mayFallBackToSale: false,
  saveSource: false,
  ...overrides,
})
export const invoiceTerms = (overrides: Partial<InvoiceTerms> = {}): InvoiceTerms => ({
  currency: 'EUR',
  amountMinor: 2_900,
  verification: false,
  incremental: false,
  bypassIncrementalAuthorization: false,
  autoCaptureAt: null,
  requireBackendCapture: false,
  deviceChannel: 'web',
  hasReturnUrl: false,
  tried: null,
  ...overrides,
})
export const captureCommand = (
  amountMinor: number | null = null,
  overrides: Partial<CaptureCommand> = {},
): CaptureCommand => ({
  ...base,
  kind: 'capture',
  amountMinor,
  detailIds: null,
  isFinal: true,
  ...overrides,
})
/** A capture that leaves the rest reserved, for more captures to come. */
export const partCommand = (amountMinor: number | null, overrides: Partial<CaptureCommand> = {}) =>
  captureCommand(amountMinor, { isFinal: false, ...overrides })
export const incrementCommand = (amountMinor: number, overrides: Partial<IncrementCommand> = {}): IncrementCommand => ({
  ...base,
  kind: 'increment',
  amountMinor,
  ...overrides,
})
export const voidCommand = (amountMinor: number | null = null, overrides: Partial<VoidCommand> = {}): VoidCommand => ({
  ...base,
  kind: 'void',
  amountMinor,
  reason: null,
  ...overrides,
})
export const expiryCommand = () => voidCommand(null, { reason: 'authorization_expired', actor: 'scheduler' })
export const refundCommand = (
  amountMinor: number | null = null,
  overrides: Partial<RefundCommand> = {},
): RefundCommand => ({
  ...base,
  kind: 'refund',
  refundId: 'refd_1',
  amountMinor,
  detailIds: null,
  reason: 'other',
  ...overrides,
})
export const reverseOrphanCommand = (
  orphanOperationId: string,
  overrides: Partial<ReverseOrphanCommand> = {},
): ReverseOrphanCommand => ({
  ...base,
  actor: 'scheduler',
  kind: 'reverse-orphan',
  orphanOperationId,
  ...overrides,
})
export const scheduleCommand = (
  overrides: Partial<ScheduleCaptureCommand> & Pick<ScheduleCaptureCommand, 'autoCaptureAt'>,
): ScheduleCaptureCommand => ({
  ...base,
  kind: 'schedule-capture',
  autoCaptureAmountMinor: null,
  autoCaptureDetailIds: null,
  ...overrides,
})

export const without = (...names: (keyof Capabilities)[]): Capabilities => ({
  ...ALL_CAPABILITIES,
  ...Object.fromEntries(names.map((name) => [name, false])),
})

export const fresh = newPayment({ currency: 'EUR', amountMinor: 2_900, incremental: false, payableUntil: null })

export const authorized = (overrides: Partial<Payment> = {}): Payment => ({
  ...fresh,
  status: 'authorized',
  authorizedMinor: 2_900,
  authorizationExpiresAt: EXPIRES,
  ...overrides,
})
/** Captured whole. */
export const completed = (overrides: Partial<Payment> = {}) =>
  authorized({ status: 'completed', capturedMinor: 2_900, capturesCount: 1, ...overrides })
/** Captured for 1,000 of 2,900, the rest still reserved. */
export const partly = (overrides: Partial<Payment> = {}) => completed({ capturedMinor: 1_000, ...overrides })
export const voided = (overrides: Partial<Payment> = {}) =>
  authorized({ status: 'voided', voidedMinor: 2_900, ...overrides })
export const failed: Payment = { ...fresh, status: 'failed' }

export const attemptOf = (overrides: Partial<AttemptInFlight> = {}): AttemptInFlight => ({
  operationId: 'tr_op_0',
  type: 'capture',
  amountMinor: 2_900,
  isFinal: true,
  isSale: false,
  begunAt: AT,
  isAbandoned: false,
  reverses: null,
  ...firstLookUp(AT),
  ...overrides,
})
export const inFlight = (
  type: GatewayOperationType,
  status: TransactionStatus,
  overrides: Partial<AttemptInFlight> = {},
): Payment => {
  const hasMoney = type !== 'authorization'
  return authorized({
    status,
    authorizedMinor: hasMoney ? 2_900 : 0,
    authorizationExpiresAt: hasMoney ? EXPIRES : null,
    attemptsInFlight: [attemptOf({ type, isFinal: type === 'capture', ...overrides })],
  })
}

/** The whole of a decision in one word or two: a code, the answer without a gateway, or the amount that goes to it. */
export const short = (decision: Decision): ErrorCode | 'unchanged' | 'pending' | 'give up' | 'continue' | number => {
  if (decision.kind === 'proceed') return decision.amountMinor
  if (decision.kind === 'give up' || decision.kind === 'continue') return decision.kind
  return decision.answer.kind === 'refused' ? decision.answer.code : decision.answer.kind
}

export type StepCommand = Exclude<DecidedCommand, { kind: 'schedule-capture' }>

const OPERATION_OF = {
  authorize: 'authorization',
  capture: 'capture',
  increment: 'increment_authorization',
  void: 'void',
  refund: 'refund',
  'reverse-orphan': 'void',
} as const satisfies Record<StepCommand['kind'], GatewayOperationType>

/** What a gateway can say, in one word; an approval is of what was asked, unless an amount is given. */
export type GatewayAnswer =
  | 'approved'
  | 'declined'
  | 'failed-in-passing'
  | 'open'
  | { approved: number }
  | { sold: number }

export function reportedResult(said: GatewayAnswer, askedMinor: number): ReportedResult {
  if (said === 'open') return { kind: 'open' }
  if (said === 'declined' || said === 'failed-in-passing')
    return { kind: 'declined', isPassing: said === 'failed-in-passing' }
  const approval = { kind: 'approved', isSale: false, gatewayOperationId: 'gateway_1' } as const
  if (said === 'approved') return { ...approval, amountMinor: askedMinor }
  return 'sold' in said
    ? { ...approval, amountMinor: said.sold, isSale: true }
    : { ...approval, amountMinor: said.approved }
}

/** The attempt that the command writes once `decide` lets it run; throws where it does not. */
export function begin(payment: Payment, command: StepCommand, at = AT) {
  const decision = decide(payment, command, at)
  if (decision.kind !== 'proceed') throw new Error(`Expected the step to run, got ${JSON.stringify(decision)}.`)
  const attempt: AttemptFacts = {
    ...attemptOf({
      operationId: command.operationId,
      type: OPERATION_OF[command.kind],
      amountMinor: decision.amountMinor,
      isFinal: command.kind === 'capture' && command.isFinal,
      begunAt: at,
      reverses: command.kind === 'reverse-orphan' ? command.orphanOperationId : null,
    }),
    isExpiry: command.kind === 'void' && command.reason !== null,
    isScheduled: command.actor === 'scheduler',
  }
  const { isExpiry: _, isScheduled: __, ...written } = attempt
  return { ...beginAttempt(payment, written, command), attempt }
}

/** What is in flight under that id, with the facts that its attempt row holds. */
export function factsOf(payment: Payment, operationId: string, isScheduled = false): AttemptFacts {
  const attempt = payment.attemptsInFlight.find((one) => one.operationId === operationId)
  if (attempt === undefined) throw new Error(`Nothing is in flight under ${operationId}.`)
  return { ...attempt, isExpiry: false, isScheduled }
}

/** The gateway reports what became of what is in flight. */
export function reportOutcome(
  payment: Payment,
  operationId: string,
  said: GatewayAnswer,
  at = AT,
  facts = factsOf(payment, operationId),
) {
  return applyOutcome(payment, facts, reportedResult(said, facts.amountMinor), at)
}

/** Staff close what is in flight as if it had failed. */
export function abandon(payment: Payment, operationId: string, at = AT) {
  return abandonAttempt(payment, factsOf(payment, operationId), at)
}

/** Begins what the command asks for and ends it with the outcome: one whole step. */
export function step(payment: Payment, command: StepCommand, said: GatewayAnswer, at = AT) {
  const begun = begin(payment, command, at)
  const ended = applyOutcome(begun.payment, begun.attempt, reportedResult(said, begun.attempt.amountMinor), at)
  return { payment: ended.payment, fires: [...begun.fires, ...ended.fires] }
}
