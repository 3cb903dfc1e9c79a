import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import type { Merchant } from './merchants.ts'

/** An attempt is recorded right after its answer; what was lost on the way is swept up within seconds. */
const SETTLE_TIMEOUT_MS = 20_000
const POLL_INTERVAL_MS = 200

export interface Audit {
  events: number
  /** Webhooks that came more than once, which is allowed and should be rare. */
  duplicates: number
}

interface Books {
  events: number
  deliveries: number
  delivered: number
}

/**
 * Compares what was fired with the record, after everything has arrived; without it a figure counts for nothing. Every
 * event of a merchant with a healthy server has exactly one delivery, which is delivered.
 *
 * @throws Error with what does not fit.
 */
export async function audit(
  bench: Pick<Bench, 'service' | 'deliveries' | 'signal'>,
  merchants: readonly Merchant[],
): Promise<Audit> {
  const found = { events: 0, duplicates: 0 }
  for (const merchant of merchants) {
    const { fired, duplicates } = bench.deliveries.countOf(merchant)
    const books = await finalBooks(bench, merchant, fired)
    if (!fits(books, fired))
      throw new Error(`Of ${fired} events of a merchant the record has ${JSON.stringify(books)}.`)
    found.events += fired
    found.duplicates += duplicates
  }
  return found
}

async function finalBooks(
  { service, signal }: Pick<Bench, 'service' | 'signal'>,
  merchant: Merchant,
  fired: number,
): Promise<Books> {
  const givesUpAt = performance.now() + SETTLE_TIMEOUT_MS
  for (;;) {
    const books = await readBooks(service, merchant)
    if (fits(books, fired) || performance.now() > givesUpAt) return books
    await sleep(POLL_INTERVAL_MS, undefined, { signal })
  }
}

async function readBooks({ orm }: Bench['service'], { scope: { projectId, sandbox } }: Merchant): Promise<Books> {
  const [books] = await orm.em.fork().execute<[Books]>(
    `select (select count(*)::int from event where project_id = ? and sandbox = ?) as events,
            count(*)::int as deliveries, (count(*) filter (where status = 'delivered'))::int as delivered
       from delivery where project_id = ? and sandbox = ?`,
    [projectId, sandbox, projectId, sandbox],
  )
  return books
}

function fits({ events, deliveries, delivered }: Books, fired: number): boolean {
  return events === fired && deliveries === fired && delivered === fired
}
