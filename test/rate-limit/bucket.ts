import type { EntityManager } from '../../src/persistence/orm.ts'

/** What `take_requests` answers to one request. */
export interface Taken {
  isAllowed: boolean
  remaining: number
  /** Until one more is left: for a request that was refused, until it would be admitted. */
  moreInUs: number
}

/** Requests at one instant, in microseconds since the epoch, that are asked for together. */
export interface Take {
  nowUs: number
  limit: number
  count?: number
}

/** Takes requests from a bucket, one after the other, in one statement; one answer for each request. */
export async function takeRequests(em: EntityManager, subject: string, takes: readonly Take[]): Promise<Taken[]> {
  const rows = await em.execute<{ is_allowed: boolean; remaining: number; more_in_us: string }[]>(
    `select taken.* from unnest(?::bigint[], ?::integer[], ?::integer[]) with ordinality as take (now_us, "limit", count, n),
            lateral take_requests('primary', ?, take."limit", take.count, take.now_us) taken order by n, place`,
    [
      arrayOf(takes.map(({ nowUs }) => nowUs)),
      arrayOf(takes.map(({ limit }) => limit)),
      arrayOf(takes.map(({ count = 1 }) => count)),
      subject,
    ],
  )
  return rows.map((row) => ({
    isAllowed: row.is_allowed,
    remaining: row.remaining,
    moreInUs: Number(row.more_in_us),
  }))
}

/** As PostgreSQL reads one. */
function arrayOf(numbers: readonly number[]): string {
  return `{${numbers.join(',')}}`
}

/** Makes the bucket be full again at an instant, in microseconds since the epoch. */
export async function setBucket(em: EntityManager, subject: string, theoreticalArrivalUs: number): Promise<void> {
  await em.execute(
    `insert into rate_limit_bucket (kind, subject, theoretical_arrival_us) values ('primary', ?, ?)
     on conflict (kind, subject) do update set theoretical_arrival_us = excluded.theoretical_arrival_us`,
    [subject, theoreticalArrivalUs],
  )
}

/** When the bucket will be full again; null where it has no row. */
export async function readBucket(em: EntityManager, subject: string, kind = 'primary'): Promise<number | null> {
  const [row] = await em.execute<{ at: string }[]>(
    'select theoretical_arrival_us as at from rate_limit_bucket where kind = ? and subject = ?',
    [kind, subject],
  )
  return row === undefined ? null : Number(row.at)
}
