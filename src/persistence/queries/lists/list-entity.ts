import type { EntityName } from '@mikro-orm/postgresql'
import type { EntityManager, Orm } from '../../orm.ts'
import type { JsonRow } from '../../rows.ts'
import type { Scope } from '../scope.ts'

/**
 * Any table of the merchants' objects: it has `project_id`, `sandbox`, `id`, and where its rows can be deleted,
 * `deleted_at`.
 */
// biome-ignore lint/suspicious/noExplicitAny: an entity is made for one type of row and is assignable to no other, not even to that of every object.
export type ListEntity = EntityName<any>

/** The condition that leaves out rows that merchants have deleted. */
export function notDeleted(em: EntityManager, entity: ListEntity): { deletedAt?: null } {
  return Object.hasOwn(em.getMetadata(entity).properties, 'deletedAt') ? { deletedAt: null } : {}
}

/** A row of this project and environment, as it is now; null where there is none or it was deleted. */
export async function findRow(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  entity: ListEntity,
  keys: Readonly<Record<string, string>>,
): Promise<object | null> {
  return em.findOne(entity, { projectId, sandbox, ...keys, ...notDeleted(em, entity) }, { disableIdentityMap: true })
}

/** A row, and what is needed with it. */
export interface FoundRow {
  row: JsonRow
  beside: unknown
}

/** Which row is read in the statement that admits a key, if it belongs to the key's project and environment. */
export interface AdmittedReading {
  /** Takes what `createKeyAdmission` gives it: the key, what the requests count towards, and the id that each names. */
  statement: string
  id: string
}

/**
 * The statement that admits requests of a key and reads a row for each: of the project and environment of the key that was
 * admitted, so that no id of another one finds anything, and nothing where the bucket is empty.
 *
 * @param beside what is needed with the row, as JSON in SQL on a row named `found`.
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
