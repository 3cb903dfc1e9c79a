import { type Batch, type DueResult, measureDue, type StagedContext } from '../due/measure-due.ts'
import { auditPayments } from '../payments/audit.ts'
import { openShop } from '../payments/shop.ts'
import { absoluteFigureOf } from '../report/figure.ts'
import { inBrief } from '../report/report.ts'
import type { Part, PartResult } from './part.ts'

const COUNT = 1_000
const QUICK_COUNT = 60
const MINUTE_MS = 60_000
const QUICK_SPREAD_MS = 5_000
/** Enough for everything to be compiled and every table to be known. */
const WARM_UP = 100

export const part: Part = {
  name: 'due',
  title: 'Due captures',
  about: 'How late scheduled captures are: 1,000 due within one minute, and 1,000 due in one instant.',
  stage: 'together',
  run: measure,
}

interface Repeat {
  minute: DueResult
  instant: DueResult
}

async function measure(context: StagedContext): Promise<PartResult> {
  const { quick, quietly, say, shutdown, stage } = context
  const shop = await openShop(stage, shutdown)
  const [count, spreadMs] = quick ? [QUICK_COUNT, QUICK_SPREAD_MS] : [COUNT, MINUTE_MS]
  const captured = async (batch: Batch) => {
    const { invoiceIds: _, ...result } = await measureDue(context, shop, batch)
    return result
  }
  say('Warming up')
  await measureDue(context, shop, { count: WARM_UP, spreadMs: 0 })
  const repeats: Repeat[] = []
  for (let index = 1; index <= context.repeats; index += 1) {
    const repeat = await quietly.run(async () => ({
      minute: await captured({ count, spreadMs }),
      instant: await captured({ count, spreadMs: 0 }),
    }))
    repeats.push(repeat)
    say(`${index} of ${context.repeats}: ${inBrief(repeat)}`)
  }
  return {
    figures: figuresOf(repeats, count, spreadMs),
    audit: { ...(await auditPayments(stage.core, shop, shop.told)) },
    repeats,
  }
}

function figuresOf(repeats: readonly Repeat[], count: number, spreadMs: number) {
  const spread = `${count} due within ${spreadMs / 1000} s`
  const minute = (name: string, of: keyof DueResult, bar?: { atMost: number; stretch: number }) =>
    absoluteFigureOf(
      { name, unit: 'ms', bar },
      repeats.map((repeat) => repeat.minute[of]),
    )
  return [
    minute(`${spread}, lateness p50`, 'p50'),
    minute(`${spread}, lateness p99`, 'p99', { atMost: 1_000, stretch: 300 }),
    minute(`${spread}, the latest`, 'max'),
    absoluteFigureOf(
      { name: `${count} due in one instant, until the last is booked`, unit: 's', bar: { atMost: 30, stretch: 20 } },
      repeats.map(({ instant }) => instant.lastAfter / 1000),
    ),
  ]
}
