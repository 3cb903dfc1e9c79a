import { parseArgs } from 'node:util'

export interface Options {
  repeats: number
  /** How long each repeat decides, and how long its floor loops. */
  seconds: number
  rules: number
  gateways: number
  /** For waiting until other programs are quiet, and for measuring again what they have disturbed. */
  patienceSeconds: number
  /** Where the JSON file goes. */
  out: string
}

const NUMBERS = {
  repeats: ['3', 'how often everything is measured; the median counts'],
  seconds: ['2', 'length of each run'],
  rules: ['100', 'rules in the set'],
  gateways: ['10', 'gateway configurations of the project'],
  'patience-seconds': ['30', 'time to wait for other programs, and to measure again what they disturb'],
} as const

const OUT = ['bench/results/routing.json', 'where the JSON file goes'] as const

/** What `--help` prints. */
export const HELP = `npm run bench:routing -- [options]

Measures routing decisions on one core, beside a loop that only reads what they look at.
Needs no servers and takes about half a minute.

${Object.entries({ ...NUMBERS, out: OUT })
  .map(([name, [value, meaning]]) => `  --${name.padEnd(16)} ${meaning} (${value})`)
  .join('\n')}
  --help             this text
`

/**
 * Reads the command line; null where help is asked for.
 *
 * @throws Error naming what cannot be read.
 */
export function readOptions(args: readonly string[]): Options | null {
  const names = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const, default: NUMBERS[name][0] }])),
      out: { type: 'string', default: OUT[0] },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help === true) return null
  const number = (name: keyof typeof NUMBERS) => {
    const value = Number((values as Record<string, unknown>)[name])
    if (!(Number.isInteger(value) && value > 0)) throw new Error(`--${name} takes a whole number above 0.`)
    return value
  }
  return {
    repeats: number('repeats'),
    seconds: number('seconds'),
    rules: number('rules'),
    gateways: number('gateways'),
    patienceSeconds: number('patience-seconds'),
    out: String(values.out),
  }
}
