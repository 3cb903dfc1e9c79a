import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { say } from '../../src/processes/run-process.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import type { ChaosOptions } from './options.ts'
import { step } from './scene.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COPY = join(ROOT, '.test-data', 'vacuity')

/** What the service can do without, or what would be copied into itself. */
const LEFT_OUT = ['.git', '.data', '.test-data', 'node_modules', 'bench']

/** A line that is forgotten, and the cell that finds it. */
interface Defect {
  name: string
  file: string
  edits: readonly (readonly [before: string, after: string])[]
  cell: string
  /** Seconds, where another time is needed than a usual one. */
  lasts?: number
  /** Seconds until all must be at its end. */
  patience?: number
}

export const DEFECTS: readonly Defect[] = [
  {
    name: 'a command that was withdrawn begins all the same',
    file: 'domain/block-reason.ts',
    edits: [["  if (isAwaited(command) && isWithdrawn) return 'too late'\n", '']],
    cell: 'stop/temporal',
    lasts: 35,
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
    file: 'activities/payment/call-gateway.ts',
    edits: [['ofTheFirstCall(await callGateway(deps, gateway, attempt, asks[type]))', 'NEVER_ARRIVED']],
    cell: 'half-open/gateway',
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
  },
  {
    name: 'a scheduled capture is dropped by a failure that passes',
    file: 'domain/payment-outcome.ts',
    edits: [['return mayTryAgain ? postponeCapture(payment, at) : withoutSchedule', 'return withoutSchedule']],
    cell: 'no-route/gateway',
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
    cell: 'no-route/gateway',
    lasts: 20,
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
    cell: 'kill/receiver',
    patience: 60,
  },
  {
    name: 'nobody starts the webhooks that were not started',
    file: 'src/sweeps/worker-sweeps.ts',
    edits: [['startWaitingEvents(deps, webhookStarter, stopping)', 'Promise.resolve(void stopping)']],
    cell: 'no-route/temporal',
  },
  {
    name: 'nobody asks the payments that are overdue',
    file: 'src/sweeps/worker-sweeps.ts',
    edits: [['pickUpOverduePayments(deps, resync, stopping)', 'Promise.resolve(void stopping)']],
    cell: 'lost/temporal',
    patience: 300,
  },
]

const LASTS = 10
const PATIENCE = 60

/** Runs the cell of each defect on a copy of the tree with the defect. Resolves with whether each was found. */
export async function runVacuity(
  { seed, cell }: Pick<ChaosOptions, 'seed' | 'cell'>,
  { signal }: Shutdown,
): Promise<boolean> {
  const survivors: string[] = []
  const defects = DEFECTS.filter((defect) => cell?.includes(defect.cell) ?? true)
  for (const defect of defects) {
    plant(defect)
    const { isFound, why } = await tryDefect(defect, seed, signal)
    step(`${isFound ? 'found   ' : 'SURVIVED'}  ${defect.cell.padEnd(20)}${defect.name}${why}`)
    if (!isFound) survivors.push(defect.name)
  }
  rmSync(COPY, { recursive: true, force: true })
  say(`\n${defects.length - survivors.length} of ${defects.length} defects were found.`)
  return survivors.length === 0
}

/** @throws Error where the code is not there any more. */
function plant({ file, edits }: Defect): void {
  rmSync(COPY, { recursive: true, force: true })
  mkdirSync(COPY, { recursive: true })
  for (const name of readdirSync(ROOT))
    if (!LEFT_OUT.includes(name)) cpSync(join(ROOT, name), join(COPY, name), { recursive: true })
  // Those that the chaos command takes from there.
  cpSync(join(ROOT, 'bench'), join(COPY, 'bench'), { recursive: true, filter: (path) => !path.includes('results') })
  symlinkSync(join(ROOT, 'node_modules'), join(COPY, 'node_modules'))
  writeFileSync(join(COPY, file), changed(readFileSync(join(ROOT, file), 'utf8'), { file, edits }))
}

export function changed(code: string, { file, edits }: Pick<Defect, 'file' | 'edits'>): string {
  return edits.reduce((before, [text, other]) => {
    if (before.split(text).length !== 2) throw new Error(`${file} does not have this once: ${text}`)
    return before.replace(text, () => other)
  }, code)
}

async function tryDefect({ cell, lasts = LASTS, patience = PATIENCE }: Defect, seed: number, signal: AbortSignal) {
  const args = ['--cell', cell, '--seed', String(seed), '--lasts', String(lasts), '--patience', String(patience)]
  const options = { cwd: COPY, signal, maxBuffer: 64 * 1024 ** 2 }
  const ended = Promise.withResolvers<{ code: number | null; output: string }>()
  const child = execFile(process.execPath, ['test/chaos/chaos.ts', ...args], options, (_, stdout, stderr) =>
    ended.resolve({ code: child.exitCode, output: stdout + stderr }),
  )
  const { code, output } = await ended.promise
  signal.throwIfAborted()
  const faults = /FAILED: (\d+) faults?\.\n((?:.|\n)*?)\n/.exec(output)
  if (code !== 0 && faults === null) return { isFound: false, why: `\n${output.slice(-2_000)}` }
  return { isFound: faults !== null, why: faults === null ? '' : `: ${faults[2]?.trim().slice(0, 160)}` }
}
