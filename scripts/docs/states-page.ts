import { DISPUTE_STEPS } from '../../domain/dispute.ts'
import {
  TRANSACTION_STATUSES,
  TRANSITIONS,
  type TransactionStatus,
  type TransactionTrigger,
  type Transition,
} from '../../domain/transaction.ts'
import { table } from './markdown.ts'

const INTRODUCTION = `# What a transaction can become

An invoice has one transaction, however often its payment is tried. What is not in these tables does not happen: a request that would need it is refused, most often with 400 \`request.validation.invalid-state\`, and leaves no trace. A notice of a gateway that would need it changes nothing and is shown to support staff.

Beside the amounts, the status says how far the payment came; \`supported_actions\` says what may be asked for now.`

const MEANINGS: Readonly<Record<TransactionStatus, string>> = {
  waiting: 'The gateway is being asked for the authorization, or the customer authenticates.',
  pending: 'The outcome of the authorization is not known, or comes later.',
  authorized: 'The money is reserved.',
  'pending-capture': 'The outcome of the capture is not known, or comes later.',
  completed: 'Money was captured.',
  failed: 'The payment was declined; another source may be tried.',
  voided: 'The authorization was released, by the merchant or because it ended.',
  'partially-refunded': 'A part of what was captured was given back.',
  refunded: 'All that was captured was given back.',
  'in-review': 'Nothing leads here yet.',
  blocked: 'A routing rule refuses the payment; no gateway has heard of it.',
  'retrieval-request': 'The issuer asks for evidence of the payment.',
  'fraud-notification': 'The cardholder told the issuer of fraud.',
  'chargeback-initiated': 'The issuer takes the money back.',
  solved: 'The chargeback was won; the money stays.',
  reversed: 'The chargeback was lost; the money is gone.',
}

const TRIGGERS: Readonly<Record<TransactionTrigger, string>> = {
  'authorization-requested': 'a payment is asked for',
  'authorization-approved': 'the authorization is approved',
  'authorization-pending': 'the authorization is not known yet',
  'authorization-declined': 'the authorization is declined',
  'authorization-given-up': 'it is voided before the authorization is known',
  'refused-by-rule': 'a routing rule refuses it',
  'sale-approved': 'authorization and capture are approved in one',
  'increment-approved': 'an increment is approved',
  'increment-declined': 'an increment is declined',
  'increment-pending': 'an increment is not known yet',
  'capture-approved': 'a capture is approved',
  'capture-pending': 'a capture is not known yet',
  'capture-declined': 'a capture is declined',
  'capture-declined-another-open': 'a capture is declined, another one is open',
  'capture-reversed': 'a capture fails later, others stand',
  'capture-reversed-rest-refunded': 'a capture fails later, and all that stands is refunded',
  'capture-reversed-in-full': 'a capture fails later, and none is left',
  'capture-reversed-another-open': 'a capture fails later, another one is open',
  'partial-void-approved': 'a part is released',
  'full-void-approved': 'all that is left is released',
  'void-pending': 'a void is not known yet',
  'void-declined': 'a void is declined',
  'partial-refund-approved': 'a part is refunded',
  'full-refund-approved': 'all is refunded',
  'refund-pending': 'a refund is not known yet',
  'refund-declined': 'a refund is declined',
  'refund-reversed-in-part': 'a refund fails later, others stand',
  'refund-reversed-in-full': 'a refund fails later, and none is left',
  'retrieval-request': 'the issuer asks for evidence',
  'fraud-notification': 'fraud is reported',
  'chargeback-created': 'a chargeback is created',
  'chargeback-won': 'a chargeback is won',
  'chargeback-lost': 'a chargeback is lost',
}

/** The state machine, as pictures and as tables. */
export function statesPage(): string {
  const isDispute = ({ trigger }: Transition) => DISPUTE_STEPS.some((step) => step === trigger)
  const disputed = new Set(TRANSITIONS.filter(isDispute).flatMap(({ from, to }) => (from === to ? [] : [to])))
  const isPayment = ({ from, to }: Transition) => !disputed.has(to) && (from === null || !disputed.has(from))
  const statuses = table(
    ['status', 'meaning'],
    TRANSACTION_STATUSES.map((status) => [`\`${status}\``, MEANINGS[status]]),
  )
  return `${[
    INTRODUCTION,
    statuses,
    '## A payment',
    diagram(TRANSITIONS.filter(isPayment)),
    '## A dispute',
    'The steps of a dispute come in any order; the end of it stands, whichever came last.',
    diagram(TRANSITIONS.filter(isDispute)),
    '## Every step',
    ...[null, ...TRANSACTION_STATUSES].flatMap(sectionOf),
  ].join('\n\n')}\n`
}

/**
 * What leads from one status to another. What leaves a status as it is is in the tables only, and so is what leads from
 * one that nothing leads to.
 */
function diagram(transitions: readonly Transition[]): string {
  const arrows = new Map<string, string[]>()
  for (const { from, trigger, to } of transitions) {
    const isReached = from === null || TRANSITIONS.some((transition) => transition.to === from)
    if (from === to || !isReached) continue
    const arrow = `${from === null ? '[*]' : nodeOf(from)} --> ${nodeOf(to)}`
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), TRIGGERS[trigger]])
  }
  const lines = [...arrows].map(([arrow, triggers]) => `    ${arrow}: ${triggers.join(' / ')}`)
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```'].join('\n')
}

/** A name that Mermaid takes: a hyphen is an arrow to it. */
function nodeOf(status: TransactionStatus): string {
  return status.replaceAll('-', '_')
}

function sectionOf(status: TransactionStatus | null): string[] {
  const transitions = TRANSITIONS.filter(({ from }) => from === status)
  if (transitions.length === 0) return []
  const rows = transitions.map(({ trigger, to, fires }) => [
    TRIGGERS[trigger],
    to === status ? 'stays' : `\`${to}\``,
    fires.map((name) => `\`${name}\``).join(', '),
  ])
  const heading = status === null ? '### Before the first request' : `### ${status}`
  return [heading, table(['when', 'becomes', 'events'], rows)]
}
