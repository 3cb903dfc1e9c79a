import { type Command, Option } from 'commander'
import { connect } from './credentials/credentials.ts'
import { defineCommand, groupOf } from './define-command.ts'
import { UsageError } from './failures.ts'
import type { Io } from './io.ts'
import { type OutputOptions, show } from './output/show.ts'
import { painterOf, paintState } from './output/style.ts'

interface ClockOptions extends OutputOptions {
  by?: string
  to?: string
  idempotencyKey?: string
}

export function addClock(program: Command, io: Io): void {
  defineCommand(io, groupOf(program, 'clock'), 'advance <invoice>', {
    summary: 'Move a sandbox payment and its webhooks through time',
    details: 'What is due by then happens on the way: a scheduled capture, the expiry, the retries of webhooks.',
    examples: ['clock advance iv_… --by 7d', 'clock advance iv_… --to 2026-12-01T09:00:00Z'],
  })
    .addOption(new Option('--by <duration>', 'how far, such as 90s, 15m, 3h or 7d').conflicts('to'))
    .option('--to <instant>', 'until when, with Z or an offset')
    .option('--idempotency-key <key>', 'what is done once, however often the command is run')
    .action(async (invoiceId: string, { by, to, idempotencyKey, ...options }: ClockOptions) => {
      const distance = distanceOf(by, to)
      const client = await connect(io)
      const { signal } = io
      const answer = await client.invoices.advanceClock(invoiceId, distance, { signal, idempotencyKey })
      show(io, options, answer, () => {
        const { transaction, clock, outcome } = answer
        const status = paintState(painterOf(io.stdout), transaction.status)
        const told = `It is ${clock.now} for ${invoiceId}, which is ${status}.`
        return outcome === 'success'
          ? told
          : `${told}\nGo on: ${io.command} clock advance ${invoiceId} --to ${clock.target}`
      })
    })
}

function distanceOf(by: string | undefined, to: string | undefined): { seconds: number } | { to: string } {
  if (by !== undefined) return { seconds: secondsOf(by) }
  if (to === undefined) throw new UsageError('Say how far: --by 7d, or --to 2026-12-01T09:00:00Z.')
  return { to }
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** @throws UsageError for what is no duration. */
function secondsOf(duration: string): number {
  const [, number = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(duration) ?? []
  const seconds = SECONDS[unit]
  if (seconds === undefined) throw new UsageError(`"${duration}" is no duration: write 90s, 15m, 3h or 7d.`)
  return Number(number) * seconds
}
