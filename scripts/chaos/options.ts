import { parseArgs } from 'node:util'
import { StartupError } from '../../src/startup-error.ts'

export interface ChaosOptions {
  /** How many processes are killed, one after the other. */
  kills: number
  /** Decides what dies when, what is asked for and what the receivers answer. The rest is up to the machine. */
  seed: number
  /** Stories a second that are begun at the API; a story is one to five requests. */
  rate: number
  /** Ordinary wait between two kills, in ms. */
  intervalMs: number
  /** Share of webhooks that their receiver gives trouble, from 0 to 1. */
  trouble: number
  /** How long it may take after the last kill until nothing is on its way any more, in ms. */
  patienceMs: number
  /** Leaves logs and data where they are. */
  keep: boolean
}

/** More would run for half a day. */
const KILLS_MAX = 10_000
const RATE_MAX = 100

export const HELP = `Usage: npm run chaos:webhooks -- [OPTIONS]

Runs the service as separate processes with servers of its own, sends it payments, and kills its processes at random
with SIGKILL: workers, APIs, Temporal, PostgreSQL, receivers. Then it compares what was committed with what arrived.
Ends with code 0 where every event reached each of its targets, and nothing reached anybody else.

  --kills N       processes to kill (100)
  --seed N        the same choices again (1)
  --rate N        stories a second (4)
  --interval N    seconds between two kills, on average (4)
  --trouble N     percent of webhooks that their receiver fails, delays or leaves unanswered (10)
  --patience N    seconds after the last kill until everything must be delivered (480)
  --keep          leaves logs and data where they are
  --help          this text`

export function wantsHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h')
}

/** @throws StartupError that says what is accepted. */
export function readOptions(args: readonly string[]): ChaosOptions {
  const values = parse(args)
  const number = (
    name: 'kills' | 'seed' | 'rate' | 'interval' | 'trouble' | 'patience',
    least: number,
    most: number,
  ) => {
    const value = Number(values[name])
    if (values[name].trim() === '' || !(value >= least && value <= most)) {
      throw new StartupError(`--${name} is a number from ${least} to ${most}, not "${values[name]}".`)
    }
    return value
  }
  return {
    kills: Math.round(number('kills', 0, KILLS_MAX)),
    seed: Math.round(number('seed', 0, 2 ** 31)),
    rate: number('rate', 0.1, RATE_MAX),
    intervalMs: number('interval', 0.1, 600) * 1000,
    trouble: number('trouble', 0, 100) / 100,
    patienceMs: number('patience', 1, 3600) * 1000,
    keep: values.keep,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        kills: { type: 'string', default: '100' },
        seed: { type: 'string', default: '1' },
        rate: { type: 'string', default: '4' },
        interval: { type: 'string', default: '4' },
        trouble: { type: 'string', default: '10' },
        patience: { type: 'string', default: '480' },
        keep: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new StartupError(`${(error as Error).message}\n\n${HELP}`, { cause: error })
  }
}
