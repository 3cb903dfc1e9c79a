import { KINDS } from '../support/processes/supervised.ts'
import type { WebhookFindings } from './audit-webhooks.ts'
import type { PaymentFindings } from './books.ts'
import type { Killable } from './killer.ts'
import type { Stories } from './stories.ts'

/** Enough to see what is wrong; the rest is likely to be the same. */
const FAULTS_SHOWN = 20

export interface Outcome {
  faults: readonly string[]
  payments: PaymentFindings
  webhooks: WebhookFindings
  events: number
  stories: Pick<Stories, 'counts' | 'requests'>
  processes: readonly Killable[]
  seconds: number
}

/** What a person wants to know after a run. */
export function renderReport({ faults, payments, webhooks, events, stories, processes, seconds }: Outcome): string {
  const { expected, arrived, accepted, duplicates, attempts, delaysMs, slowest } = webhooks
  const { authorized, captured, refunded } = payments.acknowledged
  const { begun, finished } = stories.counts()
  const { sent, failed, longestMs } = stories.requests
  const byKind = (count: (one: Killable) => number) =>
    KINDS.map((kind) => {
      const all = processes.filter((one) => one.kind === kind)
      return `${kind} ${all.reduce((sum, one) => sum + count(one), 0)}`
    }).join(', ')
  const late = byKind((one) => one.endings().late)
  const share = accepted === 0 ? 0 : (100 * duplicates) / accepted
  const rows = {
    killed: byKind((one) => one.kills()),
    'ended by themselves': `${late}; before they were ready ${byKind((one) => one.endings().early)}`,
    stories: `${begun} begun, ${finished} finished`,
    requests: `${sent}, of which ${failed} failed; longest wait ${(longestMs / 1000).toFixed(1)} s`,
    payments: `${payments.payments}; acknowledged: ${authorized} authorizations, ${captured} captures, ${refunded} refunds`,
    'events committed': events,
    'deliveries expected': expected,
    'attempts on record': attempts,
    'webhooks arrived': `${arrived}, of which ${accepted} were accepted`,
    'accepted twice or more': `${duplicates} (${share.toFixed(2)} %)`,
    delay: `median ${at(delaysMs, 0.5)}, 99 % within ${at(delaysMs, 0.99)}, longest ${at(delaysMs, 1)}`,
    slowest: slowest ?? 'none',
    duration: `${Math.round(seconds)} s`,
  }
  const table = Object.entries(rows).map(([name, value]) => `  ${name.padEnd(24)}${value}`)
  return `${table.join('\n')}\n\n${conclusionOf(faults)}`
}

function conclusionOf(faults: readonly string[]): string {
  if (faults.length === 0)
    return 'PASSED: no payment was lost or made twice, every event reached each of its targets, and nothing reached others.'
  const shown = faults.slice(0, FAULTS_SHOWN).map((fault) => `  - ${fault}`)
  const rest = faults.length - shown.length
  return [`FAILED: ${faults.length} faults.`, ...shown, ...(rest > 0 ? [`  and ${rest} more`] : [])].join('\n')
}

function at(ascending: readonly number[], share: number): string {
  const value = ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)]
  return value === undefined ? 'none' : `${(value / 1000).toFixed(2)} s`
}
