import { type Command, InvalidArgumentError, Option } from 'commander'
import { createProgram, numberFrom, type Terminal } from '../../src/processes/command-line.ts'
import { DEFECTS } from './defects.ts'
import { CELLS, nameOf } from './faults.ts'
import type { ChaosOptions } from './options.ts'

const ABOUT = `Runs the service as separate processes with servers of its own, has merchants take and refund payments, and kills its \
processes at random with SIGKILL: workers, APIs, Temporal, PostgreSQL, and the merchants' receivers. Then it compares what \
merchants were answered with the record and the gateway's books, and what was committed with what arrived. Ends with code 0 \
where no payment was lost or made twice, every event reached each of its targets, and nothing reached anybody else.`

/** More would run for half a day. */
const KILLS_MAX = 10_000

function addCell(name: string, before: string[] = []): string[] {
  if (CELLS.some((cell) => nameOf(cell) === name)) return [...before, name]
  throw new InvalidArgumentError(`There is no cell "${name}". There are: ${CELLS.map(nameOf).join(', ')}.`)
}

const readDefect = numberFrom(1, DEFECTS.length)

function addDefect(number: string, before: number[] = []): number[] {
  return [...before, readDefect(number)]
}

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
    .option(
      '--long <minutes>',
      'goes on for so long, as a piece of the long run, and puts the result into docs/reliability.md',
      numberFrom(0.1, 1440, fraction),
    )
    .option('--matrix', 'tries every fault of every part, and puts the result into docs/reliability.md', false)
    .option('--cell <fault/part...>', 'only these cells; without --matrix writes nothing', addCell)
    .option(
      '--vacuity',
      'plants defects, one at a time, and puts into docs/reliability.md what their cells find',
      false,
    )
    .option('--defect <number...>', 'only these of the defects', addDefect)
    .option('--lasts <n>', 'seconds that the fault of a cell lasts', numberFrom(1, 600), 30)
    .addOption(
      new Option('--together', 'tries one cell of each part at the same time, and judges in the end')
        .default(false)
        .conflicts(['matrix', 'vacuity']),
    )
    .option('--keep', 'leaves logs and data where they are', false)
    .action(async (options: ChaosOptions) => void (await run(options)))
}
