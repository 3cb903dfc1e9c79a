import { isDeepStrictEqual } from 'node:util'
import type { EntityName, RequiredEntityData } from '@mikro-orm/postgresql'
import { columnIn, type Equalities, type JsonRow, type Statement, type Table, type Tables, tableOf } from './rows.ts'

/** The rows of a unit, each of them once, and what is to be written of them. */
export function keepRows(tables: Tables) {
  interface Kept {
    table: Table<object>
    row: Record<string, unknown>
    change: 'insert' | 'delete' | Set<string>
  }
  const byKey = new Map<string, Kept>()
  const byRow = new Map<object, Kept>()
  const textKey = (table: Table<object>, row: object) =>
    JSON.stringify([table.name, ...table.key.map((name) => (row as Kept['row'])[name])])
  const keep = (table: Table<object>, row: object, change: Kept['change']) => {
    const kept: Kept = { table, row: row as Kept['row'], change }
    byKey.set(textKey(table, row), kept)
    byRow.set(row, kept)
  }
  const keptOf = (row: object) => {
    const kept = byRow.get(row)
    if (kept === undefined) throw new Error('The row belongs to another database transaction.')
    return kept
  }
  return {
    kept<Row extends object>(entity: EntityName<Row>, json: JsonRow): Row {
      const table = tableOf(tables, entity)
      const row = table.rowOf(json)
      const known = byKey.get(textKey(table, row))
      if (known !== undefined) return known.row as Row
      keep(table, row, new Set())
      return row
    },
    /** By its key; undefined where the unit has not seen it, null where it does not meet the equalities. */
    known<Row extends object>(entity: EntityName<Row>, where: Equalities<Row>): Row | null | undefined {
      const known = byKey.get(textKey(tableOf(tables, entity), where))
      if (known === undefined) return undefined
      const meets = Object.entries(where).every(([name, value]) => (known.row[name] ?? null) === value)
      return meets ? (known.row as Row) : null
    },
    insert<Row extends object>(entity: EntityName<Row>, given: RequiredEntityData<NoInfer<Row>>): Row {
      const table = tableOf(tables, entity)
      const row = { ...table.initial(), ...given } as Row
      keep(table, row, 'insert')
      return row
    },
    update<Row extends object>(row: Row, values: Partial<Row>): void {
      const { change, row: current } = keptOf(row)
      for (const [name, value] of Object.entries(values)) {
        if (change instanceof Set && !isDeepStrictEqual(current[name] ?? null, value ?? null)) change.add(name)
        current[name] = value
      }
    },
    keyOf<Row extends object>(row: Row): Equalities<Row> {
      const { table } = keptOf(row)
      return Object.fromEntries(table.key.map((name) => [name, row[name as keyof Row]])) as Equalities<Row>
    },
    delete(row: object): void {
      keptOf(row).change = 'delete'
    },
    changes(): Statement[] {
      const kept = [...byRow.values()]
      const inserted = Map.groupBy(
        kept.filter(({ change }) => change === 'insert'),
        ({ table }) => table,
      )
      return [
        ...[...inserted].map(([table, rows]) =>
          insertOf(
            table,
            rows.map(({ row }) => row),
          ),
        ),
        ...kept.flatMap(({ table, row, change }) => {
          if (change === 'delete') return [deleteOf(table, row)]
          return change instanceof Set && change.size > 0 ? [updateOf(table, row, [...change])] : []
        }),
      ]
    },
  }
}

/** The rows of one table in the order in which they were made, which is how the database numbers them. */
function insertOf({ name, columns }: Table<object>, rows: readonly Record<string, unknown>[]): Statement {
  const given = [...columns].filter(([property]) => rows.some((row) => row[property] !== undefined))
  const values: unknown[] = []
  const listed = rows.map((row) => {
    const places = given.map(([property, { write }]) => {
      if (row[property] === undefined) return 'default'
      values.push(write(row[property]))
      return '?'
    })
    return `(${places.join(', ')})`
  })
  const names = given.map(([, column]) => column.name)
  return { sql: `insert into ${name} (${names.join(', ')}) values ${listed.join(', ')}`, values }
}

function updateOf(table: Table<object>, row: Record<string, unknown>, properties: readonly string[]): Statement {
  const set = properties.map((property) => `${columnIn(table, property).name} = ?`)
  const key = keyCondition(table, row)
  const values = properties.map((property) => columnIn(table, property).write(row[property]))
  return {
    sql: `update ${table.name} set ${set.join(', ')} where ${key.sql}`,
    values: [...values, ...key.values],
  }
}

function deleteOf(table: Table<object>, row: Record<string, unknown>): Statement {
  const { sql, values } = keyCondition(table, row)
  return { sql: `delete from ${table.name} where ${sql}`, values }
}

function keyCondition(table: Table<object>, row: Record<string, unknown>): Statement {
  return {
    sql: table.key.map((property) => `${columnIn(table, property).name} = ?`).join(' and '),
    values: table.key.map((property) => row[property]),
  }
}
