import { join } from 'node:path'
import { rateOfLastHalf } from '../measure/statistics.ts'
import { auditPayments } from '../payments/audit.ts'
import { openShop, type Shop } from '../payments/shop.ts'
import { AUTHORIZE } from '../payments/ways.ts'
import { absoluteFigureOf, type Figure, figureOf } from '../report/figure.ts'
import { inBrief } from '../report/report.ts'
import { makeDataFolder } from '../stage/data-folder.ts'
import { type Memory, type Program, readDisk, readMemory, watchIdle } from '../waiting/footprint.ts'
import { type OwnService, startOwnService } from '../waiting/service.ts'
import { countWaiting, makeWaiting } from '../waiting/wait.ts'
import type { Part, PartContext, PartResult } from './part.ts'

/** Five, whatever other parts repeat: what is looked for is small, and the bar is the median of so many. */
const PAIRS = 5
const RUN_MS = 15_000
const IDLE_MS = 30_000
const CONCURRENCY = 8
const WARM_UP = 300
const QUICK = { pairs: 1, runMs: 4_000, idleMs: 4_000, warmUp: 40, waiting: 200 }
/** An hour lies between the warm-up and the runs, in which the machine may get faster; orders that are left over stay. */
const HEADROOM = 8

export const part: Part = {
  name: 'waiting',
  title: 'Waiting payments',
  about: 'What 100,000 payments that wait do to authorizations and to memory; see --waiting. Takes an hour or so.',
  stage: 'none',
  run: measure,
}

/** A service with a shop that asks it. */
interface Side extends OwnService {
  shop: Shop
  dataFolder: string
  ratePerSecond: number
}

interface Pair {
  with: number
  without: number
}

/**
 * Two services of `npm start` side by side on the machine, of which one has payments that wait. In pairs of runs, the order
 * alternating, each is asked for authorizations while the other has nothing to do. What that one takes of the machine by
 * itself meanwhile is told as well: it falls on both alike.
 */
async function measure(context: PartContext): Promise<PartResult> {
  const { quick, quietly, say, shutdown, signal } = context
  const folder = await makeDataFolder(shutdown)
  const [pairs, runMs, idleMs] = quick ? [QUICK.pairs, QUICK.runMs, QUICK.idleMs] : [PAIRS, RUN_MS, IDLE_MS]
  const waiting = quick ? Math.min(QUICK.waiting, context.waiting) : context.waiting
  const without = await open(context, join(folder, 'without'))
  const filled = await open(context, join(folder, 'with'))
  const before = await footprintOf(filled)
  const [copied] = filled.shop.told.keys()
  if (copied === undefined) throw new Error('The warm-up has made no payments.')
  const owner = { core: filled.core, projectId: filled.shop.projectId, told: filled.shop.told }
  await makeWaiting(owner, copied, waiting, { say, signal })
  const idle = {
    without: await watchIdle(without.pid, idleMs, signal),
    with: await watchIdle(filled.pid, idleMs, signal),
  }
  const after = await footprintOf(filled)
  say(`With nothing to do: ${inBrief(idle)}`)
  const repeats: Pair[] = []
  for (let index = 1; index <= pairs; index += 1) {
    const pair = await quietly.run(async () => {
      const [first, second] = index % 2 === 1 ? [filled, without] : [without, filled]
      const rates = new Map<Side, number>()
      for (const side of [first, second]) rates.set(side, await authorizations(side, runMs))
      return { with: rates.get(filled) as number, without: rates.get(without) as number }
    })
    repeats.push(pair)
    say(`${index} of ${pairs}: ${inBrief(pair)}`)
  }
  const audits = await Promise.all([without, filled].map(({ core, shop }) => auditPayments(core, shop, shop.told)))
  const runs = await countWaiting(filled.core.temporal)
  if (runs !== filled.shop.told.size) throw new Error(`${filled.shop.told.size} payments should wait, and ${runs} do.`)
  return {
    figures: [
      figureOf(
        {
          name: `authorizations, 8 callers, beside ${waiting} that wait`,
          unit: '/s',
          besideName: 'beside none',
          bar: { atLeast: 0.9, stretch: 0.95 },
        },
        repeats.map((pair) => ({ measured: pair.with, beside: pair.without })),
      ),
      ...footprintFigures(before, after, waiting),
      ...idleFigures(idle),
    ],
    audit: { payments: audits.reduce((sum, { payments }) => sum + payments, 0), waiting: runs },
    repeats: [...repeats, { idle, before, after }],
  }
}

async function open(context: PartContext, dataFolder: string): Promise<Side> {
  const service = await startOwnService(dataFolder, context)
  const shop = await openShop(service, context.shutdown)
  const count = context.quick ? QUICK.warmUp : WARM_UP
  const { results } = await shop.pay(AUTHORIZE, { kind: 'all', concurrency: CONCURRENCY }, count)
  return { ...service, shop, dataFolder, ratePerSecond: rateOfLastHalf(results.map(({ endedAt }) => endedAt)) }
}

/** Authorizations a second in a closed loop. */
async function authorizations({ shop, ratePerSecond }: Side, durationMs: number): Promise<number> {
  const count = CONCURRENCY + Math.ceil((HEADROOM * ratePerSecond * durationMs) / 1000)
  await shop.stock(count)
  const load = { kind: 'closed', concurrency: CONCURRENCY, durationMs } as const
  const { startedAt, endedAt, results } = await shop.pay(AUTHORIZE, load, count)
  return (results.length / (endedAt - startedAt)) * 1000
}

interface Footprint {
  memory: Memory
  disk: number
}

async function footprintOf({ pid, dataFolder }: Side): Promise<Footprint> {
  return { memory: await readMemory(pid), disk: await readDisk(dataFolder) }
}

const KB = 1_000

/** What each payment adds; a worker keeps no more of them in memory than its cache has room for. */
function footprintFigures(before: Footprint, after: Footprint, waiting: number): Figure[] {
  const figure = (name: string, from: number, to: number) =>
    absoluteFigureOf({ name: `${name} of one that waits`, unit: 'kB' }, [(to - from) / waiting / KB])
  const ofMemory = (program: Program, name: string) =>
    before.memory === null || after.memory === null
      ? []
      : [figure(`memory of ${name}`, before.memory[program], after.memory[program])]
  return [
    ...ofMemory('temporal', 'Temporal'),
    ...ofMemory('service', 'API and worker'),
    figure("Temporal's disk", before.disk, after.disk),
  ]
}

function idleFigures(idle: Record<'with' | 'without', Record<Program, number>>): Figure[] {
  const percent = (of: Record<Program, number>) => 100 * Object.values(of).reduce((sum, share) => sum + share, 0)
  return [
    figureOf({ name: 'CPU with nothing to do', unit: '% of a core', besideName: 'none waits' }, [
      { measured: percent(idle.with), beside: percent(idle.without) },
    ]),
  ]
}
