import { parseArgs } from 'node:util'
import { runProcess } from '../src/processes/run-process.ts'
import type { Shutdown } from '../src/shutdown.ts'

/** Of an option: what it is where it is not given, and what it is for. */
export type Meaning = readonly [value: string, meaning: string]

export type Meanings<Name extends string> = Readonly<Record<Name, Meaning>>

/** What was given, or stands where nothing was. */
export interface Given<Numbers extends string, Texts extends string, Flags extends string = never> {
  number(name: Numbers): number
  text(name: Texts): string
  /** Off where it is not given. */
  flag(name: Flags): boolean
}

/** What `--help` prints of a benchmark; an option without a value is a flag. */
export function helpOf(name: string, about: string, meanings: Meanings<string>): string {
  const lines = Object.entries(meanings).map(
    ([option, [value, meaning]]) => `  --${option.padEnd(16)} ${meaning}${value === '' ? '' : ` (${value})`}`,
  )
  return `npm run ${name} -- [options]\n\n${about}\n\n${lines.join('\n')}\n  --help             this text\n`
}

/**
 * Reads the command line; null where help is asked for.
 *
 * @throws Error naming what cannot be read.
 */
export function readCommandLine<Numbers extends string, Texts extends string, Flags extends string = never>(
  args: readonly string[],
  numbers: Meanings<Numbers>,
  texts: Meanings<Texts>,
  flags?: Meanings<Flags>,
): Given<Numbers, Texts, Flags> | null {
  const meanings: [string, Meaning][] = [...Object.entries<Meaning>(numbers), ...Object.entries<Meaning>(texts)]
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(meanings.map(([name, [value]]) => [name, { type: 'string' as const, default: value }])),
      ...Object.fromEntries(Object.keys(flags ?? {}).map((name) => [name, { type: 'boolean' as const }])),
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help === true) return null
  const given = values as Record<string, unknown>
  return {
    number: (name) => {
      const value = Number(given[name])
      if (!(Number.isInteger(value) && value > 0)) throw new Error(`--${name} takes a whole number above 0.`)
      return value
    },
    text: (name) => String(given[name]),
    flag: (name) => given[name] === true,
  }
}

/** Runs a benchmark as a process of its own; one that is called wrongly says how it is called. */
export async function runBench<Options>(
  help: string,
  readOptions: (args: readonly string[]) => Options | null,
  run: (options: Options, shutdown: Shutdown) => Promise<void>,
): Promise<void> {
  try {
    const options = readOptions(process.argv.slice(2))
    if (options === null) process.stdout.write(help)
    else
      await runProcess(async (shutdown) => {
        if (process.env.npm_lifecycle_event !== undefined) shutdown.watchParent()
        await run(options, shutdown)
      })
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`)
    process.exitCode = 1
  }
}
