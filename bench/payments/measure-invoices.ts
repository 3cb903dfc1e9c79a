import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import type { Operation, Outcome } from '../client/messages.ts'
import { meanCpu } from '../measure/mean-cpu.ts'
import type { Watched } from '../measure/quiet.ts'
import type { PartResult } from '../parts/part.ts'
import { figureOf } from '../report/figure.ts'
import { inBrief } from '../report/report.ts'
import { besideFloor } from './beside-floor.ts'
import type { StagedContext } from './measure-way.ts'
import { FLOOR_NAME } from './part-of-way.ts'
import { ORDER } from './project.ts'
import { openShop } from './shop.ts'

const CREATE: readonly Operation[] = [
  [{ method: 'POST', path: '/invoices', body: ORDER, keep: { invoiceId: 'invoice.id' } }],
]

const WARM_UP_MS = 5_000
const RUN_MS = 6_000
const QUICK_MS = 1_500
const COUNTED = 100

/** How many invoices a second, and how long one takes; each that was acknowledged is there, and no other. */
export async function measureInvoices(context: StagedContext): Promise<PartResult> {
  const { stage, shutdown, signal, quick, quietly, say, repeats: times } = context
  const shop = await openShop(stage, shutdown)
  const acknowledged = new Set<string>()
  const create = async (load: Parameters<typeof shop.client.run>[0]['load'], operations = CREATE): Promise<Outcome> => {
    const outcome = await shop.client.run({ load, operations, again: load.kind !== 'all' })
    for (const { kept, statuses } of outcome.results) {
      if (kept.invoiceId === undefined) throw new Error(`An invoice was answered ${statuses}.`)
      if (acknowledged.has(kept.invoiceId)) throw new Error(`${kept.invoiceId} was told of twice.`)
      acknowledged.add(kept.invoiceId)
    }
    return outcome
  }
  const audit = async () => {
    const rows = await stage.core.orm.em
      .fork()
      .find(InvoiceEntity, { projectId: shop.projectId }, { fields: ['id', 'amountMinor'] })
    if (
      rows.length !== acknowledged.size ||
      rows.some(({ id, amountMinor }) => !acknowledged.has(id) || amountMinor !== 2_900)
    )
      throw new Error(`${acknowledged.size} invoices were acknowledged, and there are ${rows.length}, or others.`)
    return { invoices: rows.length }
  }
  say('Warming up')
  await create({ kind: 'closed', concurrency: 8, durationMs: quick ? QUICK_MS : WARM_UP_MS })
  for (let index = 0; index < (quick ? 20 : 150); index += 1) await stage.floor.update()
  const loops = [1, 8].map((concurrency) => ({ concurrency, durationMs: quick ? QUICK_MS : RUN_MS }))
  const measureOnce = async () => {
    const measured = []
    for (const loop of loops) {
      const { own, floor } = await besideFloor(stage, loop, signal, (load) => create({ kind: 'closed', ...load }))
      const { outcome: _, ...brief } = own
      measured.push({ own: brief, floor })
    }
    return { measured, audit: await audit() }
  }
  const repeats: (Awaited<ReturnType<typeof measureOnce>> & Watched)[] = []
  for (let index = 1; index <= times; index += 1) {
    const repeat = await quietly.run(measureOnce)
    repeats.push(repeat)
    say(`${index} of ${times}: ${inBrief(repeat)}`)
  }
  say('Counting statements')
  const counted = await stage.costs.database(async () => {
    const { results } = await create(
      { kind: 'all', concurrency: 1 },
      Array.from({ length: COUNTED }, () => CREATE[0] as Operation),
    )
    return results.length
  })
  const of = (place: number) => repeats.map(({ measured }) => measured[place] as (typeof measured)[number])
  return {
    figures: [
      figureOf(
        { name: 'invoice, p50, 1 caller', unit: 'ms', besideName: FLOOR_NAME },
        of(0).map(({ own, floor }) => ({ measured: own.p50, beside: floor.p50 })),
      ),
      figureOf(
        { name: 'invoices, 8 callers', unit: '/s', besideName: FLOOR_NAME },
        of(1).map(({ own, floor }) => ({ measured: own.ratePerSecond, beside: floor.ratePerSecond })),
      ),
    ],
    costs: [
      { operation: 'invoice', cpuMs: meanCpu(of(1).map(({ own }) => own.cpuMs)), ...counted },
      { operation: FLOOR_NAME, cpuMs: meanCpu(of(1).map(({ floor }) => floor.cpuMs)), counts: {} },
    ],
    audit: await audit(),
    repeats,
  }
}
