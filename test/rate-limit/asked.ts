import type { EntityManager } from '../../src/persistence/orm.ts'

/** What `take_requests` said of one. */
export interface Asked {
  isAllowed: boolean
  remaining: number
  /** Until one more is left: for a request that was refused, until it would be admitted. */
  moreInUs: number
}

/** Requests of one database transaction: the row of the bucket has a version for each of them until it ends. */
const ASKED_AT_ONCE = 300

/** Asks a bucket at given instants, in microseconds since the epoch, in their order. */
export async function askAt(
  em: EntityManager,
  { subject, limit }: { subject: string; limit: number },
  instants: readonly number[],
): Promise<Asked[]> {
  const asked: Asked[] = []
  for (let from = 0; from < instants.length; from += ASKED_AT_ONCE) {
    const part = instants.slice(from, from + ASKED_AT_ONCE)
    const rows = await em.execute<Row[]>(
      `select taken.* from unnest(?::bigint[]) with ordinality as asked (now_us, n),
              lateral take_requests('primary', ?, ?, 1, asked.now_us) taken order by n`,
      [`{${part.join(',')}}`, subject, limit],
    )
    asked.push(...rows.map(askedOf))
  }
  return asked
}

/** Asks a bucket for several requests together, at one instant. */
export async function askTogether(
  em: EntityManager,
  { subject, limit }: { subject: string; limit: number },
  { nowUs, count }: { nowUs: number; count: number },
): Promise<Asked[]> {
  const rows = await em.execute<Row[]>("select * from take_requests('primary', ?, ?, ?, ?) order by place", [
    subject,
    limit,
    count,
    nowUs,
  ])
  return rows.map(askedOf)
}

interface Row {
  is_allowed: boolean
  remaining: number
  more_in_us: string
}

function askedOf(row: Row): Asked {
  return {
    isAllowed: row.is_allowed,
    remaining: row.remaining,
    moreInUs: Number(row.more_in_us),
  }
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
