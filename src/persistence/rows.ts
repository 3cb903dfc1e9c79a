import { BlobType, type EntityMetadata, type EntityName, type EntityProperty, JsonType } from '@mikro-orm/postgresql'
import type { EntityManager } from './orm.ts'

/** A statement, or a part of one, with `?` for its values. */
export interface Statement {
  sql: string
  values: unknown[]
}

/** Conditions to find rows by: null for "is null", a list for "is one of". */
export type Equalities<Row> = { [Name in keyof Row]?: Row[Name] | null | readonly Row[Name][] }

/** Reads rows: a payment's database transaction (`Unit`), or an entity manager of MikroORM. */
export interface Reader extends Tables {
  /** @param sql with `?` for its values. */
  execute<Rows extends object[]>(sql: string, values?: unknown[]): Promise<Rows>
  /** Of a unit: the row as the unit has it, if the unit has read it before. */
  kept?<Row extends object>(entity: EntityName<Row>, json: JsonRow): Row
  /** Of a unit: the row with that key; null if it does not meet the conditions, undefined if it was not read yet. */
  known?<Row extends object>(entity: EntityName<Row>, where: Equalities<Row>): Row | null | undefined
  /** Of a unit: adds a statement that is made at the commit, when all other writes are known. */
  lastly?(make: () => Statement): void
}

/** A row by its column names, as `row_to_json` writes it. */
export type JsonRow = Readonly<Record<string, unknown>>

/** Makes a row from JSON. */
export type RowMaker<Row extends object = object> = (json: JsonRow) => Row

/** The source of the table descriptions. */
export type Tables = Pick<EntityManager, 'getMetadata'>

/** A table as its entity describes it. */
export interface Table<Row extends object> {
  /** Quoted, like all names in this file. */
  name: string
  key: string[]
  /** By property name. */
  columns: ReadonlyMap<string, Column>
  /** A row with the same values as MikroORM's, but without its change tracking. */
  rowOf: RowMaker<Row>
  /** The default values of a new row. */
  initial(): Partial<Row>
}

interface Column {
  name: string
  /** The value as `pg` takes it. */
  write(value: unknown): unknown
}

const tables = new WeakMap<EntityMetadata, Table<object>>()

/** The table of an entity. */
export function tableOf<Row extends object>(from: Tables, entity: EntityName<Row>): Table<Row> {
  const metadata = from.getMetadata(entity) as unknown as EntityMetadata
  const known = tables.get(metadata) ?? describe(metadata)
  tables.set(metadata, known)
  return known as Table<Row>
}

/** Makes rows of a table for reading only. */
export function plainRows<Row extends object>(from: Tables, entity: EntityName<Row>): RowMaker<Row> {
  return tableOf(from, entity).rowOf
}

/** The rows that meet the conditions, ordered by one column. */
export async function findRows<Row extends object>(
  reader: Reader,
  entity: EntityName<Row>,
  where: Equalities<Row>,
  orderBy?: keyof Row & string,
): Promise<Row[]> {
  const table = tableOf(reader, entity)
  const values: unknown[] = []
  const place = (value: unknown) => {
    values.push(value)
    return '?'
  }
  const conditions = Object.entries(where).map(([property, value]) => {
    const { name } = columnIn(table, property)
    if (value === null) return `${name} is null`
    if (!Array.isArray(value)) return `${name} = ${place(value)}`
    return value.length === 0 ? 'false' : `${name} in (${value.map(place).join(', ')})`
  })
  const order = orderBy === undefined ? '' : `order by ${columnIn(table, orderBy).name}`
  const found = await reader.execute<{ row: JsonRow }[]>(
    `select row_to_json(found) as row from ${table.name} found where ${conditions.join(' and ')} ${order}`,
    values,
  )
  return found.map(({ row }) => rowIn(reader, entity, row))
}

/** A row from JSON: in a unit, which may change it, the unit's own. */
export function rowIn<Row extends object>(reader: Reader, entity: EntityName<Row>, json: JsonRow): Row {
  return reader.kept?.(entity, json) ?? tableOf(reader, entity).rowOf(json)
}

/** Writes at once, or at the commit of a unit together with its other writes. */
export async function write(reader: Reader, make: () => Statement): Promise<void> {
  if (reader.lastly !== undefined) return reader.lastly(make)
  const { sql, values } = make()
  await reader.execute(sql, values)
}

/** The one row that meets the conditions, or null. */
export async function findRow<Row extends object>(
  reader: Reader,
  entity: EntityName<Row>,
  where: Equalities<Row>,
): Promise<Row | null> {
  const known = reader.known?.(entity, where)
  return known === undefined ? ((await findRows(reader, entity, where))[0] ?? null) : known
}

/** @throws Error where the table has no such column. */
export function columnIn({ name, columns }: Table<object>, property: string): Column {
  const column = columns.get(property)
  if (column === undefined) throw new Error(`${name} has no column for ${property}.`)
  return column
}

function describe({ tableName, primaryKeys, props }: EntityMetadata): Table<object> {
  const read = props.map((property) => ({
    name: property.name,
    column: columnOf(property),
    read: readerOf(property),
  }))
  return {
    name: `"${tableName}"`,
    key: [...primaryKeys],
    columns: new Map(
      props.map((property) => [property.name, { name: `"${columnOf(property)}"`, write: writerOf(property) }]),
    ),
    initial: () =>
      Object.fromEntries(
        props.flatMap(({ name, onCreate, default: value }) =>
          onCreate !== undefined ? [[name, onCreate({}, undefined as never)]] : value == null ? [] : [[name, value]],
        ),
      ),
    rowOf(json) {
      const row: Record<string, unknown> = {}
      for (const { name, column, read: reader } of read) {
        const value = json[column]
        row[name] = value == null || reader === null ? value : reader(value)
      }
      return row
    },
  }
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

/** `pg` would write a list as an array of PostgreSQL's. */
function writerOf({ customType }: EntityProperty): (value: unknown) => unknown {
  return customType instanceof JsonType
    ? (value) => (value == null ? null : JSON.stringify(value))
    : (value) => value ?? null
}
