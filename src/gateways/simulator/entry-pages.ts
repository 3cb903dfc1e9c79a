import type { ListRequest } from '../gateway.ts'
import { type Entry, type Execute, objectOf } from './ledger.ts'

/** Steps on a page. */
const PAGE = 500

/**
 * A list of an account's steps in the order of an instant and their references. Its text takes $1 account, $2 from, $3 until,
 * $4 and $5 the last step of the page before, $6 how many.
 */
interface StepList<At extends 'askedAt' | 'bookedAt'> {
  sql: string
  at: At
}

/** A page of a list, the oldest step first, and the cursor of the next one: the last step of this one. */
export async function readPage<At extends 'askedAt' | 'bookedAt'>(
  execute: Execute,
  { sql, at }: StepList<At>,
  account: string,
  { from, until, cursor }: Pick<ListRequest, 'from' | 'until' | 'cursor'>,
): Promise<{ entries: (Entry & Record<At, Date>)[]; next: string | null }> {
  const [afterAt = from.toISOString(), after = ''] = cursor?.split(' ') ?? []
  const rows = await execute(sql, [account, from, until, afterAt, after, PAGE])
  const entries = rows.map(({ entry }) => objectOf<Entry & Record<At, Date>>(entry))
  const last = rows.length < PAGE ? undefined : entries.at(-1)
  return { entries, next: last === undefined ? null : `${last[at].toISOString()} ${last.reference}` }
}
