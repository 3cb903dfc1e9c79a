import type { BucketKind } from '../../domain/rate-limits.ts'
import { type Limits, setLimits } from '../../src/persistence/queries/projects/projects.ts'
import type { Answer } from '../support/http-client.ts'
import type { Interface } from './interface.ts'

const DAY_US = 24 * 60 * 60 * 1_000_000

/** What an answer tells of a limit. */
export interface ShownLimit {
  kind: string | undefined
  limit: number
  remaining: number
}

/**
 * Reads the headers of the limit.
 *
 * @throws Error where one is missing, is no number, or where the two ways to tell it differ.
 */
export function limitIn(headers: Headers): ShownLimit {
  const number = (name: string) => {
    const text = headers.get(name) ?? ''
    if (!/^\d+$/.test(text)) throw new Error(`${name} is ${JSON.stringify(text)}`)
    return Number(text)
  }
  const [limit, remaining] = [number('x-ratelimit'), number('x-ratelimit-remaining')]
  const policy = /^"([a-z_]+)";q=(\d+);w=60$/.exec(headers.get('ratelimit-policy') ?? '')
  const state = /^"([a-z_]+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '')
  if (policy === null || state === null || policy[1] !== state[1]) throw new Error('RateLimit cannot be read.')
  if (Number(policy[2]) !== limit || Number(state[2]) !== remaining) throw new Error('The headers differ.')
  if (remaining > limit || Number(state[3]) > 61) throw new Error('More is left than there is, or it takes too long.')
  return { kind: policy[1], limit, remaining }
}

export const shown = ({ headers }: Answer | Response): ShownLimit => limitIn(headers)

/** Changes limits of a project as an operator does. */
export async function changeLimits(api: Interface, projectId: string, limits: Partial<Limits>): Promise<void> {
  const em = api.database.orm.em.fork()
  await em.transactional((transaction) => setLimits(transaction, { projectId, limits, actor: 'test' }))
}

/** Empties a bucket for as long as a test may take: it lies a day ahead, as after a clock that was set back. */
export async function emptyBucket(api: Interface, kind: BucketKind, subject: string): Promise<void> {
  await api.database.orm.em.fork().execute(
    `insert into rate_limit_bucket (kind, subject, theoretical_arrival_us) values (?, ?, ?)
     on conflict (kind, subject) do update set theoretical_arrival_us = excluded.theoretical_arrival_us`,
    [kind, subject, Date.now() * 1000 + DAY_US],
  )
}

/** Who has a bucket, by its kind. */
export async function bucketsOf(api: Interface, kind: BucketKind): Promise<string[]> {
  const rows = await api.database.orm.em
    .fork()
    .execute<{ subject: string }[]>('select subject from rate_limit_bucket where kind = ? order by subject', [kind])
  return rows.map(({ subject }) => subject)
}
