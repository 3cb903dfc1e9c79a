import type { Findings } from './audit.ts'
import type { Stories } from './stories.ts'
import { KINDS, type Supervised } from './supervised.ts'

/** Enough to see what is wrong; the rest is likely to be the same. */
const FAULTS_SHOWN = 20

export interface Outcome {
  findings: Findings
  events: number
  /** Faults that are not found by comparing: not idle in time, events that cannot be fetched. */
  others: readonly string[]
  stories: ReturnType<Stories['counts']>
  processes: readonly Supervised[]
  seconds: number
}

/** What a person wants to know after a run. */
export function renderReport({ findings, events, others, stories, processes, seconds }: Outcome): string {
  const { expected, arrived, accepted, duplicates, attempts, delaysMs, slowest } = findings
  const sum = (kind: string, count: (one: Supervised) => number) =>
    processes.filter((one) => one.kind === kind).reduce((total, one) => total + count(one), 0)
  const killed = KINDS.map((kind) => `${kind} ${sum(kind, (one) => one.kills())}`)
  const ended = KINDS.map((kind) => `${kind} ${sum(kind, (one) => one.endings().late)}`)
  const vain = KINDS.map((kind) => `${kind} ${sum(kind, (one) => one.endings().early)}`)
  const share = accepted === 0 ? 0 : (100 * duplicates) / accepted
  const faults = [...others, ...findings.faults]
  const rows = [
    ['killed', `${killed.join(', ')}`],
    ['ended by themselves', `${ended.join(', ')}; before they were ready ${vain.join(', ')}`],
    ['stories', `${stories.begun} begun, ${stories.finished} told to the end`],
    ['requests', `${stories.requests}, of which ${stories.failed} failed`],
    ['events committed', String(events)],
    ['deliveries expected', String(expected)],
    ['attempts on record', String(attempts)],
    ['webhooks arrived', `${arrived}, of which ${accepted} were accepted`],
    ['accepted twice or more', `${duplicates} (${share.toFixed(2)} %)`],
    ['delay', `median ${at(delaysMs, 0.5)}, 99 % within ${at(delaysMs, 0.99)}, longest ${at(delaysMs, 1)}`],
    ['slowest', slowest ?? 'none'],
    ['duration', `${Math.round(seconds)} s`],
  ]
  const table = rows.map(([name, value]) => `  ${String(name).padEnd(24)}${value}`).join('\n')
  return `${table}\n\n${conclusionOf(faults)}`
}

function conclusionOf(faults: readonly string[]): string {
  if (faults.length === 0) return 'PASSED: every event reached each of its targets, and nothing reached anybody else.'
  const shown = faults.slice(0, FAULTS_SHOWN).map((fault) => `  - ${fault}`)
  const rest = faults.length - shown.length
  return [`FAILED: ${faults.length} faults.`, ...shown, ...(rest > 0 ? [`  and ${rest} more`] : [])].join('\n')
}

function at(ascending: readonly number[], share: number): string {
  const value = ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)]
  return value === undefined ? 'none' : `${(value / 1000).toFixed(2)} s`
}
