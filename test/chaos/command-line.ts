import type { Command } from 'commander'
import { createProgram, numberFrom, type Terminal } from '../../src/processes/command-line.ts'

export interface ChaosOptions {
  kills: number
  seed: number
  /** Stories a second; a story is one to six requests. */
  rate: number
  /** Seconds. */
  interval: number
  /** Percent. */
  trouble: number
  /** Seconds. */
  patience: number
  keep: boolean
}

const ABOUT = `Runs the service as separate processes with servers of its own, has merchants take and refund payments, and kills its \
processes at random with SIGKILL: workers, APIs, Temporal, PostgreSQL, and the merchants' receivers. Then it compares what \
merchants were answered with the record and the gateway's books, and what was committed with what arrived. Ends with code 0 \
where no payment was lost or made twice, every event reached each of its targets, and nothing reached anybody else.`

/** More would run for half a day. */
const KILLS_MAX = 10_000

export function chaosProgram(terminal: Terminal, run: (options: ChaosOptions) => Promise<unknown>): Command {
  const fraction = { whole: false }
  return createProgram('chaos', terminal)
    .description(ABOUT)
    .option('--kills <n>', 'processes to kill', numberFrom(0, KILLS_MAX), 100)
    .option('--seed <n>', 'the same choices again; the rest is up to the machine', numberFrom(0, 2 ** 31), 1)
    .option('--rate <n>', 'stories that begin in a second', numberFrom(0.1, 100, fraction), 4)
    .option('--interval <n>', 'seconds between two kills, on average', numberFrom(0.1, 600, fraction), 4)
    .option('--trouble <n>', 'percent of webhooks that their receiver fails, delays or leaves', numberFrom(0, 100), 10)
    .option('--patience <n>', 'seconds after the last kill until all must be at its end', numberFrom(1, 3600), 480)
    .option('--keep', 'leaves logs and data where they are', false)
    .action(async (options: ChaosOptions) => void (await run(options)))
}
