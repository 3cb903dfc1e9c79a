import { BlobType, type EntityDictionary, type EntityMetadata, type EntityName } from '@mikro-orm/postgresql'
import type { EntityManager } from '../orm.ts'

/** A row by its columns, as `to_jsonb` gives it. */
export type JsonRow = Record<string, unknown>

/**
 * Makes a row that was read as JSON part of the unit of work, as if it had been read by itself: changes to it are written.
 */
export function rowFromJson<Row extends object>(em: EntityManager, entity: EntityName<Row>, json: JsonRow): Row {
  return em.map(entity, withBytes(em.getMetadata(entity), json) as EntityDictionary<Row>) as Row
}

/** JSON has no bytes: PostgreSQL writes them in hexadecimal digits. */
function withBytes({ props }: Pick<EntityMetadata, 'props'>, json: JsonRow): JsonRow {
  const columns = props.filter(({ customType }) => customType instanceof BlobType).flatMap((prop) => prop.fieldNames)
  const decoded = columns.flatMap((column) => {
    const text = json[column]
    return typeof text === 'string' ? [[column, Buffer.from(text.slice('\\x'.length), 'hex')]] : []
  })
  return decoded.length === 0 ? json : { ...json, ...Object.fromEntries(decoded) }
}
