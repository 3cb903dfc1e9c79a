import type { Orm } from '../../orm.ts'
import type { PreparedStatement } from '../../prepared.ts'
import type { JsonRow } from '../json-rows.ts'
import { type ListEntity, notDeleted } from './list-entity.ts'

/** A row, and what its presenter needs beside it. */
export interface FoundRow {
  row: JsonRow
  beside: unknown
}

/** Which row is read in the statement that admits a key, if it belongs to the key's project and environment. */
export interface AdmittedReading {
  /** Takes the values of `admit_key`, and the id. */
  statement: PreparedStatement
  id: string
}

/**
 * The statement that admits a key and reads a row for it: of the project and environment of the key that was admitted, so that
 * no id of another one finds anything, and nothing where the bucket is empty.
 *
 * @param beside what the presenter needs, as JSON in SQL on a row named `found`.
 */
export function readAdmitted({ em }: Orm, entity: ListEntity, beside = 'null'): PreparedStatement {
  const { tableName } = em.getMetadata(entity)
  const hidden = 'deletedAt' in notDeleted(em, entity) ? 'and found.deleted_at is null' : ''
  return {
    name: `admit_key_and_read_${tableName}`,
    sql: `
      select row_to_json(admitted) as key,
        case when admitted.is_allowed then
          (select json_build_object('row', row_to_json(found), 'beside', ${beside}) from "${tableName}" found
            where found.id = $5 and found.project_id = admitted.project_id and found.sandbox = admitted.sandbox ${hidden})
        end as found
      from admit_key($1, $2, $3, $4) admitted`,
  }
}
