import type { EntityName } from '@mikro-orm/postgresql'
import type { EntityManager, Orm } from '../../orm.ts'
import { findRow, type JsonRow } from '../../rows.ts'
import type { Scope } from '../scope.ts'

/** Any table of merchants' objects. It has `project_id`, `sandbox`, `id`, and `deleted_at` where rows can be deleted. */
// biome-ignore lint/suspicious/noExplicitAny: an entity is made for one type of row and is assignable to no other, not even to that of every object.
export type ListEntity = EntityName<any>

/** The condition that leaves out deleted rows. */
export function notDeleted(em: EntityManager, entity: ListEntity): { deletedAt?: null } {
  return Object.hasOwn(em.getMetadata(entity).properties, 'deletedAt') ? { deletedAt: null } : {}
}

/** A row of this project and environment, as it is now; null where there is none or it was deleted. */
export async function findObject(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  entity: ListEntity,
  keys: Readonly<Record<string, string>>,
): Promise<object | null> {
  return findRow<Record<string, unknown>>(em, entity, { projectId, sandbox, ...keys, ...notDeleted(em, entity) })
}

/** A row, and the related data that its presenter needs. */
export interface FoundRow {
  row: JsonRow
  beside: unknown
}

/** The row to read in the statement that admits an API key. It must belong to the key's project and environment. */
export interface AdmittedReading {
  /** Its parameters come from `createKeyAdmission`: the key, the limit to count towards, and the id in each request. */
  statement: string
  id: string
}

/**
 * Makes the statement that admits requests of a key and reads a row for each. It reads only rows of the admitted key's
 * project and environment, and none where the bucket is empty.
 *
 * @param beside related data to read with the row: JSON in SQL, with the row named `found`.
 */
export function readAdmitted(
  { em }: Orm,
  { entity, beside = 'null' }: { entity: ListEntity; beside?: string | undefined },
): string {
  const { tableName } = em.getMetadata(entity)
  const hidden = 'deletedAt' in notDeleted(em, entity) ? 'and found.deleted_at is null' : ''
  return `
      select row_to_json(admitted) as key,
        case when admitted.is_allowed then
          (select json_build_object('row', row_to_json(found), 'beside', ${beside}) from "${tableName}" found
            where found.id = ($5::text[])[admitted.place] and found.project_id = admitted.project_id
              and found.sandbox = admitted.sandbox ${hidden})
        end as found
      from admit_requests($1, $2, $3, $4, cardinality($5::text[])) admitted`
}
