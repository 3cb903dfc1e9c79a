import type { AuthorizeCommand, Command, CommandAnswer } from './command.ts'
import { ERRORS, type ErrorCode } from './errors.ts'
import { largestAmountMinor } from './money.ts'
import { type AttemptInFlight, isCapturable, type Payment, remainingMinor } from './payment.ts'

/** Attempts to raise one authorization, declined ones included, after which gateways refuse. Source: Stripe's documentation. */
export const INCREMENT_ATTEMPTS_MAX = 10

/**
 * Whether a sale goes on to its capture after its authorization was answered. A refused one ends there, even where
 * another command has authorized the payment meanwhile: its caller was told that nothing was done.
 */
export function saleGoesOn(authorization: CommandAnswer, payment: Payment): boolean {
  return (authorization.kind === 'done' || authorization.kind === 'unchanged') && isCapturable(payment)
}

/** Whether a command may go to the gateway, and for how much; or the answer that needs no gateway. */
export type Decision =
  | { kind: 'proceed'; amountMinor: number }
  | { kind: 'answer'; answer: Extract<CommandAnswer, { kind: 'unchanged' | 'pending' | 'refused' }> }

const unchanged: Decision = { kind: 'answer', answer: { kind: 'unchanged' } }

function refuse(code: ErrorCode, message: string = ERRORS[code].message): Decision {
  return { kind: 'answer', answer: { kind: 'refused', code, message } }
}

const stillProcessing = (attempt: AttemptInFlight): Decision =>
  refuse(
    'request.still-processing',
    `The outcome of the last ${attempt.type.replaceAll('_', ' ')} is not known yet. Try again shortly.`,
  )

/**
 * The rule book: may this command run on this payment? `at` is the instant by which deadlines are judged, in epoch ms
 * of workflow time: now, or the instant at which a scheduled step was due.
 * The same function serves the workflow's validators, which leave no trace, and the activity, which asks it again
 * under the row lock, where the answer is final.
 */
export function decide(payment: Payment, command: Command, at: number): Decision {
  switch (command.kind) {
    case 'authorize':
      return decideAuthorize(payment, command)
    case 'capture':
      return decideCapture(payment, command.amountMinor, at)
    case 'schedule-capture':
      return decideScheduleCapture(payment, command.autoCaptureAt, command.autoCaptureAmountMinor, at)
    case 'increment':
      return decideIncrement(payment, command.amountMinor, at)
    case 'void':
      return decideVoid(payment, command.amountMinor)
  }
}

function decideAuthorize(payment: Payment, command: AuthorizeCommand): Decision {
  if (payment.attemptInFlight !== null) return unchanged
  if (payment.status === 'voided')
    return refuse('request.validation.invalid-state', 'The payment was voided. Create a new invoice.')
  if (payment.status !== null && payment.status !== 'failed') return unchanged
  if (command.source === null) return refuse('request.validation.missing-source')
  return { kind: 'proceed', amountMinor: payment.amountMinor }
}

function decideCapture(payment: Payment, amountMinor: number | null, at: number): Decision {
  const { attemptInFlight, status } = payment
  if (attemptInFlight !== null) {
    const asksForTheSame = attemptInFlight.type === 'capture' && amountMinor === null
    // Not `unchanged`: the status may still be `authorized`, and must not read as if the capture were done.
    return asksForTheSame ? { kind: 'answer', answer: { kind: 'pending' } } : stillProcessing(attemptInFlight)
  }
  if (status === null || status === 'failed') return refuse('request.validation.missing-source')
  if (status === 'voided') return refuseVoided(payment)
  if (status !== 'authorized') {
    const repeatsWhatWasDone = amountMinor === null || amountMinor === payment.capturedMinor
    return repeatsWhatWasDone
      ? unchanged
      : refuse('request.validation.invalid-state', `The payment is ${status}; nothing is left to capture.`)
  }
  return decideAmount(payment, amountMinor, at)
}

function decideScheduleCapture(
  payment: Payment,
  autoCaptureAt: number | null,
  amountMinor: number | null,
  at: number,
): Decision {
  if (payment.attemptInFlight !== null) return stillProcessing(payment.attemptInFlight)
  if (payment.status === 'voided') return refuseVoided(payment)
  if (payment.status === null || payment.status === 'failed') return refuse('request.validation.missing-source')
  if (payment.status !== 'authorized') {
    return refuse(
      'request.validation.invalid-state',
      `The payment is ${payment.status}; its capture can no longer be scheduled.`,
    )
  }
  if (autoCaptureAt !== null && autoCaptureAt > (payment.authorizationExpiresAt ?? 0)) {
    return refuse('request.validation.invalid-date', 'auto_capture_at lies after the end of the authorization.')
  }
  return decideAmount(payment, amountMinor, at)
}

function decideIncrement(payment: Payment, amountMinor: number, at: number): Decision {
  if (payment.attemptInFlight !== null) return stillProcessing(payment.attemptInFlight)
  if (payment.status !== 'authorized' || payment.capturedMinor > 0) {
    return refuse(
      'request.validation.invalid-state',
      'Only an authorized payment that was not captured can be incremented.',
    )
  }
  if (!payment.incremental)
    return refuse('request.validation.invalid-state', 'The payment was not authorized with incremental true.')
  if (isExpired(payment, at)) return refuse('gateway.expired')
  if (payment.incrementAttempts >= INCREMENT_ATTEMPTS_MAX) {
    return refuse(
      'request.validation.invalid-state',
      `An authorization can be incremented ${INCREMENT_ATTEMPTS_MAX} times at most.`,
    )
  }
  const total = Math.max(payment.amountMinor, payment.authorizedMinor) + amountMinor
  if (amountMinor <= 0 || total > largestAmountMinor(payment.currency)) {
    return refuse('request.validation.invalid-amount', 'The amount would be more than the largest one there is.')
  }
  return { kind: 'proceed', amountMinor }
}

function decideVoid(payment: Payment, amountMinor: number | null): Decision {
  const { attemptInFlight, status } = payment
  if (attemptInFlight?.type === 'capture') {
    return refuse(
      'request.validation.invalid-state',
      'A capture of this money is under way. Refund it once it is captured.',
    )
  }
  if (attemptInFlight !== null) return stillProcessing(attemptInFlight)
  if (status === 'voided') return unchanged
  if (status !== 'authorized') {
    return refuse(
      'request.validation.invalid-state',
      status === null ? 'Nothing is authorized.' : `The payment is ${status}; only an authorized one can be voided.`,
    )
  }
  const remaining = remainingMinor(payment)
  const wanted = amountMinor ?? remaining
  if (wanted <= 0 || wanted > remaining)
    return refuse('request.validation.invalid-amount', 'The amount is more than what is still authorized.')
  return { kind: 'proceed', amountMinor: wanted }
}

function decideAmount(payment: Payment, amountMinor: number | null, at: number): Decision {
  if (isExpired(payment, at)) return refuse('gateway.expired')
  const remaining = remainingMinor(payment)
  const wanted = amountMinor ?? remaining
  if (wanted <= 0 || wanted > remaining)
    return refuse('request.validation.invalid-amount', 'The amount is more than what is still authorized.')
  return { kind: 'proceed', amountMinor: wanted }
}

function refuseVoided(payment: Payment): Decision {
  return payment.expired
    ? refuse('gateway.expired')
    : refuse('request.validation.invalid-state', 'The payment was voided.')
}

/** The last instant still counts: a capture at exactly `authorizationExpiresAt` is accepted. */
function isExpired(payment: Payment, at: number): boolean {
  return payment.authorizationExpiresAt !== null && at > payment.authorizationExpiresAt
}
