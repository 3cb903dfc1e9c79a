import type { Orm } from '../../orm.ts'
import type { JsonRow } from '../../rows.ts'
import { type ListEntity, notDeleted } from './list-entity.ts'

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
