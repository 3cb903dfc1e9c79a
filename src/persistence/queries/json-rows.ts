import { BlobType, type EntityDictionary, type EntityName, type EntityProperty } from '@mikro-orm/postgresql'
import type { EntityManager } from '../orm.ts'

/** A row by its columns, as `row_to_json` writes it. */
export type JsonRow = Readonly<Record<string, unknown>>

/** Makes rows of JSON. */
export type RowMaker<Row extends object = object> = (json: JsonRow) => Row

/**
 * Makes the rows of a table that are read and not changed: the same values as the ORM's own rows have, without what follows
 * their changes, which takes more time than everything else about reading one.
 */
export function plainRows<Row extends object>(em: EntityManager, entity: EntityName<Row>): RowMaker<Row> {
  const properties = em
    .getMetadata(entity)
    .props.map((property) => ({ name: property.name, column: columnOf(property), read: readerOf(property) }))
  return (json) => {
    const row: Record<string, unknown> = {}
    for (const { name, column, read } of properties) {
      const value = json[column]
      row[name] = value == null || read === null ? value : read(value)
    }
    return row as Row
  }
}

/** Makes a row part of the unit of work, as if the ORM had read it: changes to it are written. */
export function managedRow<Row extends object>(em: EntityManager, entity: EntityName<Row>, json: JsonRow): Row {
  const blobs = em.getMetadata(entity).props.filter(({ customType }) => customType instanceof BlobType)
  const decoded = blobs
    .map(columnOf)
    .flatMap((column) => (json[column] == null ? [] : [[column, bytesOf(json[column])]]))
  return em.map(entity, { ...json, ...Object.fromEntries(decoded) } as EntityDictionary<Row>) as Row
}

function columnOf({ name, fieldNames }: EntityProperty): string {
  const [column] = fieldNames
  if (column === undefined) throw new Error(`${name} has no column.`)
  return column
}

/** What JSON has another form for. Amounts are whole numbers that JavaScript has exactly: see `domain/money.ts`. */
function readerOf({ runtimeType, customType }: EntityProperty): ((value: unknown) => unknown) | null {
  if (customType instanceof BlobType) return bytesOf
  return runtimeType === 'Date' ? (value) => new Date(String(value)) : null
}

/** PostgreSQL writes bytes in hexadecimal digits after `\x`. */
function bytesOf(text: unknown): Buffer {
  return Buffer.from(String(text).slice('\\x'.length), 'hex')
}
