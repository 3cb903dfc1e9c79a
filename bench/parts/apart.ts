import { setTimeout as sleep } from 'node:timers/promises'
import { auditOrders } from '../../test/support/order-audit.ts'
import { type Client, startClient } from '../client.ts'
import { figureOf, type Measured } from '../figures.ts'
import { startHelper } from '../helper.ts'
import type { Part, PartContext, PartResult } from '../part.ts'
import { databaseUrlOf } from '../population.ts'
import { openShop, PAIR, type Shop } from '../shop.ts'
import { countRows, openStage, type Stage, startApart } from '../stage.ts'

/** Orders are prepared in batches while nobody looks. */
const SIZE = { samples: 300, batch: 200, reads: 2_000 }
const SIZE_QUICK = { samples: 20, batch: 20, reads: 100 }
const SAMPLE_MS = 50
const CALLERS = 16

const WAITING = `select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock'`
const RESOURCES = ['invoice', 'transaction'] as const
type Resource = (typeof RESOURCES)[number]

export const part: Part = {
  name: 'apart',
  about: 'API and worker apart: waits for locks with two of each beside one, and GET of an object beside a bare route.',
  pieces: ['locks', 'reads'],
  run: measure,
}

async function measure(context: PartContext): Promise<PartResult> {
  const { shutdown, quick, only, say } = context
  const isAsked = (piece: string) => only === null || only.includes(part.name) || only.includes(piece)
  const size = quick ? SIZE_QUICK : SIZE
  const stage = await openStage(context)
  const first = await startApart(stage, context, '1')
  const shop = await openShop(stage.core, [first], shutdown)
  say('One API and one worker')
  const one = await watchLocks(stage, shop, shop.client, size)
  const reads = isAsked('reads') ? await measureReads(stage, shop, context, size.reads) : []
  const figures = RESOURCES.filter(() => reads.length > 0).map((resource) =>
    figureOf(
      { name: `GET of one ${resource}`, unit: '/s', besideName: 'bare Koa route', bar: { atLeast: 0.5, goal: 0.6 } },
      reads.map((repeat) => repeat[resource]),
    ),
  )
  if (isAsked('locks')) {
    say('Two of each')
    const baseUrls = [first, await startApart(stage, context, '2')]
    const client = await startClient({ baseUrls, authorization: shop.authorization }, shutdown)
    const two = await watchLocks(stage, shop, client, size)

    figures.push(
      figureOf(
        { name: `locks waited for in ${size.samples} samples, two APIs and workers`, unit: '', bar: { atMost: 0 } },
        [two.waited],
      ),
      figureOf({ name: 'pairs, two APIs and workers', unit: '/s', besideName: 'one of each' }, [
        { measured: two.ratePerSecond, beside: one.ratePerSecond },
      ]),
    )
  }
  return { figures, audit: { ...(await auditOrders(stage.core, shop, shop.told)) }, repeats: reads }
}

/** In how many samples somebody waited for a lock while pairs were paid, and how many pairs were paid in a second. */
async function watchLocks(stage: Stage, shop: Shop, client: Client, { samples, batch }: typeof SIZE) {
  await shop.pay(PAIR, await shop.orders(batch), CALLERS, client)
  await countRows(stage)
  let [taken, waited, paid, paidMs] = [0, 0, 0, 0]
  while (taken < samples) {
    const orders = await shop.orders(batch)
    const paying = shop.pay(PAIR, orders, CALLERS, client)
    const ended = paying.then(() => true)
    while (taken < samples && !(await Promise.race([ended, sleep(SAMPLE_MS, false)]))) {
      const [{ waiting }] = await stage.core.orm.em.fork().execute<[{ waiting: number }]>(WAITING)
      taken += 1
      if (waiting > 0) waited += 1
    }
    const { startedAt, endedAt } = await paying
    paid += batch
    paidMs += endedAt - startedAt
  }
  return { waited, ratePerSecond: (paid / paidMs) * 1000 }
}

/** How many objects a second are read by their ids, in turns with the bare route. */
async function measureReads({ core }: Stage, shop: Shop, context: PartContext, count: number) {
  const bareRoute = await startHelper<{ baseUrl: string }>('bare-route', [databaseUrlOf(core)], context.shutdown)
  const bare = await startClient({ ...shop, baseUrls: [bareRoute.first.baseUrl] }, context.shutdown)
  const sql = 'select id as transaction, invoice_id as invoice from transaction where project_id = ?'
  const rows = await core.orm.em.fork().execute<Record<Resource, string>[]>(sql, [shop.projectId])

  /** Answers a second. @throws Error where one was another than it had to be. */
  async function rate(client: Client, resource: Resource): Promise<number> {
    const ids = Array.from({ length: count }, (_, index) => rows[index % rows.length]?.[resource])
    const operations = ids.map((id) => [{ path: `/${resource}s/${id}`, keep: { id: `${resource}.id` } }])
    const { results, startedAt, endedAt } = await client.run({ pace: { callers: CALLERS }, operations })
    const wrong = results.find(({ index, kept }) => kept.id !== ids[index])
    if (wrong !== undefined) throw new Error(`${ids[wrong.index]} was answered ${wrong.statuses} ${wrong.kept.id}.`)
    return (results.length / (endedAt - startedAt)) * 1000
  }

  const measureOne = async (resource: Resource): Promise<Measured> => {
    const before = await rate(bare, resource)
    const measured = await rate(shop.client, resource)
    return { measured, beside: (before + (await rate(bare, resource))) / 2 }
  }
  context.say('Reading')
  const repeats: Record<Resource, Measured>[] = []
  for (let index = 0; index <= context.repeats; index += 1)
    repeats.push({ invoice: await measureOne('invoice'), transaction: await measureOne('transaction') })
  // The first only warms up.
  return repeats.slice(1)
}
