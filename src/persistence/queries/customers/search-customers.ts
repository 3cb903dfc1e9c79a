import type { EntityManager } from '../../orm.ts'
import { withInstants } from '../../raw.ts'
import type { Scope } from '../scope.ts'

export interface FoundCustomer {
  id: string
  name: string | null
  email: string | null
  referenceId: string | null
  createdAt: Date
}

const NAME = `search_text(coalesce(first_name || ' ', '') || coalesce(last_name, ''))`

/** What a search text may be the beginning of. Each has an index in this order. */
const BEGINNINGS = [NAME, 'search_text(last_name)', 'search_text(email)']

/** What it may be as a whole. */
const WHOLE = ['id', 'reference_id']

const COLUMNS = `id, nullif(concat_ws(' ', first_name, last_name), '') as name, email,
  reference_id as "referenceId", created_at as "createdAt"`

const OWN = 'project_id = ? and sandbox = ? and deleted_at is null'

/**
 * The customers whose name, last name or email address begins with a text, or that have it as id or reference, by name. Of
 * each kind the first ones are looked at: who looks for more types more.
 */
export async function searchCustomers(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  { text, limit }: { text: string; limit: number },
): Promise<FoundCustomer[]> {
  const beginning = `${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  const begins = BEGINNINGS.map(
    (column) =>
      `(select id from customer where ${OWN} and ${column} like search_text(?) order by ${column} limit ${limit})`,
  )
  const equals = WHOLE.map((column) => `(select id from customer where ${OWN} and ${column} = ? limit ${limit})`)
  const rows = await em.execute<FoundCustomer[]>(
    `select ${COLUMNS} from customer where id in (${[...begins, ...equals].join(' union ')})
      order by ${NAME}, id limit ${limit}`,
    [...begins.flatMap(() => [projectId, sandbox, beginning]), ...equals.flatMap(() => [projectId, sandbox, text])],
  )
  return withInstants(rows, 'createdAt')
}

/** All of them, the newest first. */
export async function listCustomers(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  { startAfter, limit }: { startAfter: string | null; limit: number },
): Promise<FoundCustomer[]> {
  const place = `and (created_at, id) < (select place.created_at, place.id from customer place where place.id = ?)`
  const rows = await em.execute<FoundCustomer[]>(
    `select ${COLUMNS} from customer where ${OWN} ${startAfter === null ? '' : place}
      order by created_at desc, id desc limit ${limit}`,
    [projectId, sandbox, ...(startAfter === null ? [] : [startAfter])],
  )
  return withInstants(rows, 'createdAt')
}
