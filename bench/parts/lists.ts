import { figureOf, type Measured, median } from '../figures.ts'
import { monotonicMs } from '../load.ts'
import type { Part, PartContext, PartResult } from '../part.ts'
import { middleOf, type NamedRow, type Populated, populate } from '../population.ts'
import { makeProject } from '../shop.ts'
import { openStage, startTogether } from '../stage.ts'

const SMALL = 10_000
/** So many readings of a list, at each size; one at a time, the two sizes in turn. */
const SIZE = { large: 1_000_000, readings: 100 }
const SIZE_QUICK = { large: 50_000, readings: 20 }

const twoWeeksAgo = new Date(Date.now() - 14 * 86_400_000).toISOString()

/** Every list that grows with payments: from its beginning, from its middle, narrowed to many and to few rows, expanded. */
const LISTS: Readonly<Record<string, (row: NamedRow) => string>> = {
  invoices: () => '/invoices',
  'invoices, 100': () => '/invoices?limit=100',
  'invoices, expanded': () => '/invoices?expand=transaction.card',
  'invoices after one': ({ invoice_id: id }) => `/invoices?start_after=${id}`,
  'invoices, completed': () => '/invoices?filter=status:completed',
  'invoices, processing': () => '/invoices?filter=status:processing',
  'invoices of an order': () => '/invoices?filter=order_id:order-777',
  transactions: () => '/transactions',
  'transactions before one': ({ transaction_id: id }) => `/transactions?end_before=${id}&order=asc`,
  'transactions, completed': () => '/transactions?filter=status:completed',
  'transactions, pending': () => '/transactions?filter=status:pending',
  'transactions in one currency': () => '/transactions?filter=currency:USD',
  'transactions of a card': ({ card_id: id }) => `/transactions?filter=card_id:${id}`,
  'transactions since': () => `/transactions?filter=created_at>=${twoWeeksAgo}`,
  cards: () => '/cards',
  requests: () => '/api-requests',
  events: () => '/events',
  'events after one': ({ event_id: id }) => `/events?order=asc&start_after=${id}`,
  'events by name': () => '/events?filter=name:transaction.captured',
}

export const part: Part = {
  name: 'lists',
  about: 'Every list that grows with payments, for a project of 1,000,000 payments beside one of 10,000.',
  isLong: true,
  run: measure,
}

type Side = Populated & { row: NamedRow }

/** How long lists take for a project of a million payments, beside one of ten thousand in the same tables. */
async function measure(context: PartContext): Promise<PartResult> {
  const { quick, say, signal, repeats: times } = context
  const stage = await openStage(context)
  const baseUrl = await startTogether(stage, context)
  const { large, readings } = quick ? SIZE_QUICK : SIZE
  const populated: Populated[] = []
  for (const payments of [SMALL, large, large / 10])
    populated.push({ project: await makeProject(stage.core, `${payments} payments`), payments })
  await populate(stage.core, populated, say)
  const sides: Side[] = []
  for (const one of populated.slice(0, 2)) sides.push({ ...one, row: await middleOf(stage.core.orm.em.fork(), one) })
  const [small, big] = sides as [Side, Side]
  let answers = 0

  async function read({ project: { authorization }, row }: Side, pathOf: (row: NamedRow) => string) {
    signal.throwIfAborted()
    const startedAt = monotonicMs()
    const response = await fetch(`${baseUrl}${pathOf(row)}`, { headers: { authorization } })
    const { count } = (await response.json()) as { count: number }
    const tookMs = monotonicMs() - startedAt
    if (!(count > 0)) throw new Error(`${pathOf(row)} was answered ${response.status}, ${count} objects.`)
    answers += 1
    return tookMs
  }

  const measureOnce = async () => {
    const repeat: Record<string, Measured> = {}
    for (const [name, pathOf] of Object.entries(LISTS)) {
      const took = new Map<Side, number[]>([
        [small, []],
        [big, []],
      ])
      // Neither is always the first.
      for (let index = 0; index < readings; index += 1)
        for (const side of index % 2 === 0 ? [small, big] : [big, small]) took.get(side)?.push(await read(side, pathOf))
      repeat[name] = { measured: median(took.get(big) ?? []), beside: median(took.get(small) ?? []) }
    }
    return repeat
  }

  say('Warming up')
  await measureOnce()
  const repeats: Record<string, Measured>[] = []
  for (let index = 0; index < times; index += 1) repeats.push(await measureOnce())
  const figures = Object.keys(LISTS).map((name) =>
    figureOf(
      { name, unit: 'ms', besideName: `${SMALL} payments`, bar: { atMost: 1.2, goal: 1.1 } },
      repeats.map((repeat) => repeat[name] as Measured),
    ),
  )
  return { figures, audit: { payments: SMALL + large, answers }, repeats }
}
