import { type AttemptInFlight, type Due, nextDue, type Payment } from '../domain/payment.ts'
import { amountText, describeState, instantText, summarizeAttempt } from '../domain/payment-description.ts'
import { listLink, runLink } from './links.ts'

/** What a page of a run says beside the payment itself. */
export interface RunFacts {
  /** What became of the last step of the run, in words. */
  lastOutcome: string | null
  /** The workflow run that made an attempt of the payment before. */
  earlierRunId: string | null
}

/**
 * The state of a payment as Markdown for its page in the Temporal UI: a sentence, then a list. The UI sets tables without
 * gaps.
 */
export function describePayment(
  payment: Payment,
  { invoiceId, gatewayName, lastOutcome, earlierRunId }: RunFacts & { invoiceId: string; gatewayName: string | null },
): string {
  const { clockOffsetMs, attemptsInFlight, needsAttention } = payment
  const next = whatComesNext(payment)
  const lines = [
    ...(lastOutcome === null ? [] : [`Last step: ${lastOutcome}.`]),
    ...attemptsInFlight.map(describeAttempt),
    ...(needsAttention
      ? ['**Needs attention**: something happened that the record cannot hold. `payments attention` lists it.']
      : []),
    ...(next === null ? [] : [`Next: ${next}.`]),
    `Gateway: ${gatewayName ?? 'none yet'}.`,
    ...(clockOffsetMs === undefined
      ? []
      : [`Test clock: ${Math.round(clockOffsetMs / 1000)} s ahead of the wall clock.`]),
    linksOf(invoiceId, earlierRunId),
  ]
  return `**${describeState(payment)}.**\n\n${lines.map((line) => `- ${line}`).join('\n')}`
}

function describeAttempt(attempt: AttemptInFlight): string {
  const { operationId, awaitsCustomerUntil, isAbandoned, lookUpsMade, nextLookUpAt } = attempt
  if (awaitsCustomerUntil !== undefined)
    return `Waits for the customer to authenticate with 3-D Secure, until ${instantText(awaitsCustomerUntil)}.`
  const state = isAbandoned ? 'Closed without an outcome; look-ups continue' : '**Outcome unknown**'
  const { kind } = summarizeAttempt(attempt)
  return `${state}: ${kind} \`${operationId}\`; ${lookUpsMade} look-ups made, the next at ${instantText(nextLookUpAt)}.`
}

function whatComesNext(payment: Payment): string | null {
  const due = nextDue(payment)
  return due === null ? null : describeDue(due, payment)
}

function describeDue(due: Due, { currency, authorizationExpiresAt }: Payment): string {
  switch (due.kind) {
    case 'auto-capture':
      return `captures ${amountText(due.amountMinor, currency)} by itself at ${instantText(due.at)}`
    case 'reverse-orphan':
      return `${due.orphan.isSale ? 'refunds an unwanted sale' : 'voids an unwanted authorization'} of ${amountText(due.orphan.amountMinor, currency)}`
    case 'expiry-announcement':
    case 'expiry':
      return `releases the money at ${instantText(authorizationExpiresAt ?? due.at)} unless captured before`
  }
}

function linksOf(invoiceId: string, earlierRunId: string | null): string {
  const runs = listLink('all runs of this payment', 'WorkflowId = "{workflowId}"')
  const webhooks = listLink('its webhooks', `PaymentId = "${invoiceId}" AND WorkflowType = "webhookWorkflow"`)
  if (earlierRunId === null) return `See ${runs}, ${webhooks}.`
  return `See ${runLink(`the run before, ${earlierRunId}`, earlierRunId)}, ${runs}, ${webhooks}.`
}

/** The end of a run; the result of the workflow. The UI shows its fields in this order. */
export interface PaymentSummary {
  summary: string
  status: Payment['status']
  authorized: string
  captured: string
  voided: string
  refunded: string
  earlierRunId?: string
}

export function summarizePayment(payment: Payment, { lastOutcome, earlierRunId }: RunFacts): PaymentSummary {
  const { status, currency } = payment
  const amount = (minor: number) => amountText(minor, currency)
  return {
    summary: lastOutcome ?? describeState(payment),
    status,
    authorized: amount(payment.authorizedMinor),
    captured: amount(payment.capturedMinor),
    voided: amount(payment.voidedMinor),
    refunded: amount(payment.refundedMinor),
    ...(earlierRunId !== null && { earlierRunId }),
  }
}
