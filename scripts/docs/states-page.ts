import { DISPUTE_STEPS } from '../../domain/dispute.ts'
import {
  TRANSACTION_STATUSES,
  TRANSITIONS,
  type TransactionStatus,
  type TransactionTrigger,
  type Transition,
} from '../../domain/transaction.ts'
import { table } from './markdown.ts'

const INTRODUCTION = `# States of a transaction

An invoice has one transaction, however often its payment is tried. The table below holds every step that can happen, with the [events](events.md) that it fires. A request for any other step is refused, usually with 400 \`request.validation.invalid-state\`, and leaves no trace. One that asks for what is done already, such as a second authorization or a full void of a voided payment, is answered with the state. A gateway's notification of any other step changes nothing and goes to support staff.

The status and the amounts say how far the payment came; \`supported_actions\` says what may be asked for now.`

const STEPS = `The steps of a dispute come in any order, and its outcome stands. While a chargeback is open, and once it is lost, nothing more is captured. So it ends a scheduled capture (\`auto_capture_at\`) when it comes, and \`transaction.operation.capture.failed\` fires beside its own event. The rest stays reserved until it is voided or the authorization ends; once the chargeback is won, you can capture it or schedule that again.

A *late failure* is a capture or refund that had succeeded and that the gateway reports as failed afterwards.`

const MEANINGS: Readonly<Record<TransactionStatus, string>> = {
  waiting: 'The gateway is being asked for the authorization, or the customer authenticates.',
  pending: 'The outcome of the authorization is unknown, or comes later.',
  authorized: 'The money is reserved.',
  'pending-capture': 'The outcome of the capture is unknown, or comes later.',
  completed: 'Money was captured, all or a part.',
  failed: 'The payment was declined; another source may be tried.',
  voided: 'The authorization was released, by the merchant or because it ended.',
  'partially-refunded': 'A part of the captured money was given back.',
  refunded: 'All captured money was given back.',
  'in-review': 'Unused.',
  blocked: 'A routing rule refused the payment before any gateway was asked; it may be tried again.',
  'retrieval-request': 'The issuer asks for evidence.',
  'fraud-notification': 'The cardholder reported fraud to the issuer.',
  'chargeback-initiated': 'The issuer takes the money back.',
  solved: 'The chargeback was won; the money stays.',
  reversed: 'The chargeback was lost; the money is gone.',
}

const TRIGGERS: Readonly<Record<TransactionTrigger, string>> = {
  'authorization-requested': 'payment requested',
  'authorization-approved': 'authorization approved',
  'authorization-pending': 'authorization unknown',
  'authorization-declined': 'authorization declined',
  'authorization-given-up': 'void before the outcome',
  'refused-by-rule': 'refused by a routing rule',
  'sale-approved': 'sale approved',
  'increment-approved': 'increment approved',
  'increment-declined': 'increment declined',
  'increment-pending': 'increment unknown',
  'capture-approved': 'capture approved',
  'capture-pending': 'capture unknown',
  'capture-declined': 'capture declined',
  'capture-declined-another-open': 'capture declined, another open',
  'capture-reversed': 'late capture failure, others stand',
  'capture-reversed-rest-refunded': 'late capture failure, rest refunded',
  'capture-reversed-in-full': 'late capture failure, none left',
  'capture-reversed-another-open': 'late capture failure, another open',
  'partial-void-approved': 'partial void',
  'full-void-approved': 'full void',
  'void-pending': 'void unknown',
  'void-declined': 'void declined',
  'partial-refund-approved': 'partial refund',
  'full-refund-approved': 'full refund',
  'refund-pending': 'refund unknown',
  'refund-declined': 'refund declined',
  'refund-reversed-in-part': 'late refund failure, others stand',
  'refund-reversed-in-full': 'late refund failure, none left',
  'retrieval-request': 'retrieval request',
  'fraud-notification': 'fraud notification',
  'inquiry-closed': 'inquiry closed',
  'dispute-answered': 'inquiry or chargeback answered',
  'chargeback-created': 'chargeback created',
  'chargeback-won': 'chargeback won',
  'chargeback-lost': 'chargeback lost',
  'chargeback-created-late': 'chargeback created, told after its end',
  'chargeback-told-again': 'end of a chargeback, told again',
  'chargeback-won-another-open': 'chargeback won, another is open',
  'chargeback-won-another-lost': 'chargeback won, another was lost',
  'chargeback-lost-another-open': 'chargeback lost, another is open',
}

/** Names for statuses that share most of their steps, the larger group first. */
export const STATUS_GROUPS: Readonly<Record<string, readonly TransactionStatus[]>> = {
  'every captured status': [
    'completed',
    'partially-refunded',
    'refunded',
    'retrieval-request',
    'fraud-notification',
    'chargeback-initiated',
    'solved',
    'reversed',
  ],
  'every disputed status': ['retrieval-request', 'fraud-notification', 'chargeback-initiated', 'solved', 'reversed'],
}

/** The state machine, as a picture and as a table. */
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
    '## A payment without a dispute',
    diagram(TRANSITIONS.filter(isPayment)),
    '## Every step',
    STEPS,
    ...Object.entries(STATUS_GROUPS).map(
      ([name, group]) => `*${name[0]?.toUpperCase()}${name.slice(1)}*: ${codes(group)}.`,
    ),
    table(['when', 'steps', 'events'], stepsOf(TRANSITIONS)),
  ].join('\n\n')}\n`
}

/** What leads from one status to another. A step that leaves the status as it is is in the table only. */
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

/** A row for each trigger and list of events, with every step that it makes. */
function stepsOf(transitions: readonly Transition[]): string[][] {
  const rows = new Map<string, Transition[]>()
  for (const transition of transitions) {
    const key = `${transition.trigger} ${transition.fires}`
    rows.set(key, [...(rows.get(key) ?? []), transition])
  }
  return [...rows.values()].map((steps) => {
    const targets = Map.groupBy(steps, ({ from, to }) => (from === to ? null : to))
    const moves = [...targets].map(([to, same]) =>
      to === null ? `stays ${grouped(same)}` : `${grouped(same)} → \`${to}\``,
    )
    const [{ trigger, fires } = { trigger: null, fires: [] }] = steps
    return [trigger === null ? '' : TRIGGERS[trigger], moves.join('; '), codes(fires)]
  })
}

function grouped(steps: readonly Transition[]): string {
  const statuses = steps.map(({ from }) => from)
  const [name, group = []] =
    Object.entries(STATUS_GROUPS).find(([, all]) => all.every((one) => statuses.includes(one))) ?? []
  const others = statuses.filter((status) => status === null || !group.includes(status))
  const named = others.map((status) => (status === null ? '–' : codes([status])))
  return [...named, ...(name === undefined ? [] : [`*${name}*`])].join(', ')
}

const codes = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
