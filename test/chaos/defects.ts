import type { How } from './results.ts'

/** A line that is forgotten, and the cell that finds it. */
export interface Defect {
  name: string
  file: string
  edits: readonly (readonly [before: string, after: string])[]
  cell: string
  /** Options with which the cell finds it, in place of those of the run. */
  needs?: Partial<How>
  /** Seconds until all must be at its end, where that takes longer than usual. */
  patience?: number
  /** What it leaves undone is never done: a run that is not at its end in time, long after it should be, has found it. */
  neverEnds?: boolean
}

export const DEFECTS: readonly Defect[] = [
  {
    name: 'a command that was withdrawn begins all the same',
    file: 'domain/block-reason.ts',
    edits: [["  if (isAwaited(command) && isWithdrawn) return 'too late'\n", '']],
    cell: 'stop/temporal',
  },
  {
    name: 'a step that was interrupted counts as not sent',
    file: 'activities/payment/run-command.ts',
    edits: [
      [
        "    case 'interrupted':\n",
        "    case 'interrupted':\n      return { kind: 'declined', code: 'gateway.network-error', gatewayCode: 'NEVER_ARRIVED', isNotSent: true } as Outcome\n",
      ],
    ],
    cell: 'reset/postgres',
  },
  {
    name: 'an answer that was lost counts as a failure',
    file: 'activities/payment/call-gateway.ts',
    edits: [
      [
        '  const outcome = await makeCall(deps, gateway, attempt, ask)\n',
        "  const made = await makeCall(deps, gateway, attempt, ask)\n  const outcome = made.kind === 'unknown' ? NOT_OPENED : made\n",
      ],
    ],
    cell: 'reset/gateway',
  },
  {
    name: 'a connection that broke counts as one that was never made',
    file: 'src/gateways/stripe/failures.ts',
    edits: [
      [
        "early?.code === undefined ? unknown(causes[0]?.code ?? 'connection lost') : notSent(early.code)",
        "notSent('lost')",
      ],
    ],
    cell: 'reset-after/gateway',
  },
  {
    name: 'a failure inside the gateway counts as a refusal',
    file: 'src/gateways/stripe/failures.ts',
    edits: [['    case 401:\n', "    case 500:\n      return refusal('gateway.internal-error')\n    case 401:\n"]],
    cell: 'error-after/gateway',
  },
  {
    name: 'a call that a look-up does not find counts as a failure at once',
    file: 'domain/after-look-up.ts',
    edits: [
      [
        '  const { sentAgoMs } = call\n',
        "  if (found.kind === 'never-seen') return 'fail'\n  const { sentAgoMs } = call\n",
      ],
    ],
    cell: 'half-open/gateway',
    // During the fault look-ups hang as well, and after 15 s of failures no more calls are sent: when it ends, some must be on their way.
    needs: { lasts: 20 },
  },
  {
    name: 'an outcome that a look-up finds is told to nobody',
    file: 'activities/payment/record-outcome.ts',
    edits: [['fireEvents(deps, unit, announced,', "fireEvents(deps, unit, actor === 'reconciler' ? [] : announced,"]],
    cell: 'reset/gateway',
  },
  {
    name: 'an unknown outcome is never looked up',
    file: 'workflows/payment-run.ts',
    edits: [['if (lookUp === null) return dueWake', 'return dueWake']],
    cell: 'reset/gateway',
    neverEnds: true,
  },
  {
    name: 'a scheduled capture is dropped by a failure that passes',
    file: 'domain/payment-outcome.ts',
    edits: [['return mayTryAgain ? postponeCapture(payment, at) : withoutSchedule', 'return withoutSchedule']],
    cell: 'throttled/gateway',
    needs: { lasts: 60, rate: 12 },
  },
  {
    name: 'the lines of a capture that failed stay taken',
    file: 'activities/payment/record-outcome.ts',
    edits: [
      [
        "  await updateDetails(unit, attempt, outcome.kind === 'approved' ? 'done' : 'free')",
        "  if (outcome.kind === 'approved') await updateDetails(unit, attempt, 'done')",
      ],
    ],
    cell: 'throttled/gateway',
    needs: { lasts: 60, rate: 12 },
  },
  {
    name: 'the key of a request that is sent again is not known',
    file: 'src/idempotency/record.ts',
    edits: [
      ["  if (row === undefined) return { kind: 'free' }", "  return { kind: 'free' }"],
      ["return own.length > 0 ? 'claimed' : 'taken'", "return 'claimed'"],
    ],
    cell: 'reset/api',
  },
  {
    name: 'a webhook that was not accepted counts as delivered',
    file: 'activities/webhooks/deliver.ts',
    edits: [["status: sent.delivered ? 'delivered'", "status: sent ? 'delivered'"]],
    cell: 'kill/receiver',
  },
  {
    name: 'a webhook that was not accepted is not sent again',
    file: 'workflows/webhook.ts',
    edits: [['    dueAt = result.nextAt\n', '    dueAt = null\n']],
    // In each cell some receivers fail. Where none does for half a minute, the usual time is too long to wait twice for.
    cell: 'reset/gateway',
    neverEnds: true,
  },
  {
    name: 'nobody starts the webhooks that were not started',
    file: 'src/sweeps/worker-sweeps.ts',
    edits: [['startWaitingEvents(deps, webhookStarter, stopping)', 'Promise.resolve(void stopping)']],
    cell: 'no-route/temporal',
    neverEnds: true,
  },
  {
    name: 'nobody asks the payments that are overdue',
    file: 'src/sweeps/worker-sweeps.ts',
    edits: [['pickUpOverduePayments(deps, resync, stopping)', 'Promise.resolve(void stopping)']],
    cell: 'lost/temporal',
    needs: { rate: 12 },
    patience: 300,
    neverEnds: true,
  },
]

/** The code with the defect. */
export function changed(code: string, { file, edits }: Pick<Defect, 'file' | 'edits'>): string {
  return edits.reduce((before, [text, other]) => {
    if (before.split(text).length !== 2) throw new Error(`${file} does not have this once: ${text}`)
    return before.replace(text, () => other)
  }, code)
}
