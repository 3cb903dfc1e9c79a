import type { Costs } from '../measure/costs.ts'
import { meanCpu } from '../measure/mean-cpu.ts'
import type { Watched } from '../measure/quiet.ts'
import type { PartResult } from '../parts/part.ts'
import { absoluteFigureOf, type Bar, type Figure, figureOf } from '../report/figure.ts'
import { inBrief } from '../report/report.ts'
import { countWay, measureWay, type StagedContext, warmUp } from './measure-way.ts'
import type { Way } from './shop.ts'

export const FLOOR_NAME = 'bare update-with-start'

/** What one way of paying is held to. */
export interface Bars {
  /** p50 at one caller, over that of the floor. */
  latency?: Bar
  /** A second at eight callers, of that of the floor. */
  throughput?: Bar
  statements?: Bar
  commits?: Bar
  workflowTasks?: Bar
}

export interface WayOptions {
  /** In the singular. */
  operation: string
  way: Way
  bars: Bars
}

const LOOPS = [
  { name: 'one', concurrency: 1, durationMs: 6_000 },
  { name: 'eight', concurrency: 8, durationMs: 8_000 },
] as const
const QUICK_MS = 2_000

type Measured = Awaited<ReturnType<typeof measureWay>>
type Repeat = Watched & Record<(typeof LOOPS)[number]['name'], Measured>

/** Measures a way of paying beside the floor: latency with one caller, how much can be done with eight, and what it costs. */
export async function measurePart(context: StagedContext, { operation, way, bars }: WayOptions): Promise<PartResult> {
  const { repeats: times, quick, quietly, say } = context
  const shop = await warmUp(context, way)
  const repeats: Repeat[] = []
  for (let index = 1; index <= times; index += 1) {
    const repeat = await quietly.run(async () => {
      const measured: Partial<Record<(typeof LOOPS)[number]['name'], Measured>> = {}
      for (const { name, concurrency, durationMs } of LOOPS)
        measured[name] = await measureWay(context, shop, way, {
          concurrency,
          durationMs: quick ? QUICK_MS : durationMs,
        })
      return measured as Repeat
    })
    repeats.push(repeat)
    say(`${index} of ${times}: ${inBrief(briefOf(repeat))}`)
  }
  say('Counting statements, workflow tasks and events')
  const counted = await countWay(context, shop, way)
  const costs: Costs[] = [
    { operation, cpuMs: meanCpu(repeats.map(({ eight }) => eight.own.cpuMs)), ...counted },
    { operation: FLOOR_NAME, cpuMs: meanCpu(repeats.map(({ eight }) => eight.floor.cpuMs)), counts: {} },
  ]
  return {
    figures: [...figuresOf(operation, repeats, bars), ...countFigures(operation, counted.counts, bars)],
    costs,
    audit: { ...repeats.at(-1)?.eight.audit },
    repeats: repeats.map(briefOf),
  }
}

function figuresOf(operation: string, repeats: readonly Repeat[], { latency, throughput }: Bars): Figure[] {
  return [
    figureOf(
      { name: `${operation}, p50, 1 caller`, unit: 'ms', besideName: FLOOR_NAME, bar: latency },
      repeats.map(({ one }) => ({ measured: one.own.p50, beside: one.floor.p50 })),
    ),
    figureOf(
      { name: `${operation}, p99, 1 caller`, unit: 'ms', besideName: FLOOR_NAME },
      repeats.map(({ one }) => ({ measured: one.own.p99, beside: one.floor.p99 })),
    ),
    figureOf(
      { name: `${operation}, 8 callers`, unit: '/s', besideName: FLOOR_NAME, bar: throughput },
      repeats.map(({ eight }) => ({ measured: eight.own.ratePerSecond, beside: eight.floor.ratePerSecond })),
    ),
    figureOf(
      { name: `${operation}, p50, 8 callers`, unit: 'ms', besideName: FLOOR_NAME },
      repeats.map(({ eight }) => ({ measured: eight.own.p50, beside: eight.floor.p50 })),
    ),
  ]
}

/** Counts are no matter of chance, so they have no repeats. */
function countFigures(operation: string, counts: Costs['counts'], bars: Bars): Figure[] {
  const names = [
    ['statements', 'statements'],
    ['commits', 'commits'],
    ['workflowTasks', 'workflow tasks'],
  ] as const
  return names.flatMap(([quantity, name]) => {
    const value = counts[quantity]
    const bar = bars[quantity]
    if (value === undefined || bar === undefined) return []
    // A sweep that runs while something is counted, and did not while nothing was, shows in the digits after this one.
    return absoluteFigureOf({ name: `${name} of one ${operation}`, unit: '', bar }, [Math.round(value * 10) / 10])
  })
}

/** Without the results of each operation, of which there are thousands. */
function briefOf({ one, eight, others }: Repeat): object {
  const brief = ({ own: { outcome: _, ...own }, floor, audit }: Measured) => ({ own, floor, audit })
  return { one: brief(one), eight: brief(eight), others }
}
