import { isDeepStrictEqual } from 'node:util'
import type { EntityName, RequiredEntityData } from '@mikro-orm/postgresql'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { Orm } from './orm.ts'
import type { Scope } from './queries/scope.ts'
import {
  type Announced,
  type EventsToFire,
  makeFiring,
  type NewEvent,
  type Targets,
} from './queries/webhooks/fire-events.ts'
import {
  columnIn,
  type Equalities,
  findRows,
  type JsonRow,
  type Reader,
  type Statement,
  type Table,
  tableOf,
} from './rows.ts'
import { openSession, type Session } from './session.ts'

/**
 * A database transaction of a payment, by explicit SQL: for what moves money. It gathers its writes and sends them at the
 * end in one statement, each row once and in any order: PostgreSQL checks references after the statement or at the commit.
 */
export class Unit implements Reader {
  readonly getMetadata: Reader['getMetadata']
  readonly #session: Session
  readonly #byKey = new Map<string, Kept>()
  readonly #byRow = new Map<object, Kept>()
  readonly #statements: Statement[] = []
  readonly #lastly: (() => Statement)[] = []
  #fired: { scope: Scope; targets: Targets; events: NewEvent[] } | null = null

  constructor(session: Session, { em }: Orm) {
    this.#session = session
    this.getMetadata = em.getMetadata.bind(em)
  }

  execute<Rows extends object[]>(sql: string, values: unknown[] = []): Promise<Rows> {
    return this.#session.run(sql, values)
  }

  /** Takes a row read as JSON to be changed; returns the same object where the unit has the row already. */
  kept<Row extends object>(entity: EntityName<Row>, json: JsonRow): Row {
    const table = tableOf(this, entity)
    const row = table.rowOf(json)
    const known = this.#byKey.get(keyTextOf(table, row))
    if (known !== undefined) return known.row as Row
    this.#keep(table, row, new Set())
    return row
  }

  known<Row extends object>(entity: EntityName<Row>, where: Equalities<Row>): Row | null | undefined {
    const known = this.#byKey.get(keyTextOf(tableOf(this, entity), where))
    if (known === undefined) return undefined
    const meets = Object.entries(where).every(([name, value]) => (known.row[name] ?? null) === value)
    return meets ? (known.row as Row) : null
  }

  /** Reads a row again after the unit has locked it. */
  async refresh<Row extends object>(entity: EntityName<Row>, row: Row): Promise<void> {
    const { table } = this.#keptOf(row)
    const key = Object.fromEntries(table.key.map((name) => [name, row[name as keyof Row]])) as Equalities<Row>
    const reader: Reader = { getMetadata: this.getMetadata, execute: (...asked) => this.execute(...asked) }
    const [fresh] = await findRows(reader, entity, key)
    Object.assign(row, fresh)
  }

  insert<Row extends object>(entity: EntityName<Row>, given: RequiredEntityData<NoInfer<Row>>): Row {
    const table = tableOf(this, entity)
    const row = { ...table.initial(), ...given } as Row
    this.#keep(table, row, 'insert')
    return row
  }

  /** Changes a row that the unit has read or inserted. */
  update<Row extends object>(row: Row, values: Partial<Row>): void {
    const { change, row: current } = this.#keptOf(row)
    for (const [name, value] of Object.entries(values)) {
      if (change instanceof Set && !isDeepStrictEqual(current[name] ?? null, value ?? null)) change.add(name)
      current[name] = value
    }
  }

  delete(row: object): void {
    this.#keptOf(row).change = 'delete'
  }

  /** Adds a statement with `?` for its values. It must not change rows that another part of the transaction changes. */
  also(sql: string, values: unknown[]): void {
    this.#statements.push({ sql, values })
  }

  lastly(make: () => Statement): void {
    this.#lastly.push(make)
  }

  /** Writes events with the change that they report. All events of a transaction go to the same targets. */
  fire(scope: Scope, events: readonly NewEvent[], targets: Targets): void {
    if (events.length === 0) return
    this.#fired ??= { scope, targets, events: [] }
    if (!isDeepStrictEqual(this.#fired.targets, targets))
      throw new Error('The events of a transaction all go to the same targets.')
    this.#fired.events.push(...events)
  }

  /** @returns the committed events that have a target; the caller announces them. */
  async commit(): Promise<FiredEvent[]> {
    const statements = [...this.#statements, ...this.#lastly.map((make) => make()), ...this.#changes()]
    const firing = this.#fired === null ? null : makeFiring(this.#fired.scope, this.#fired.events, this.#fired.targets)
    const rows = await this.#session.commit<Announced[]>(oneStatement(statements, firing))
    return firing === null ? [] : firing.announced(rows)
  }

  #keep(table: Table<object>, row: object, change: Kept['change']): void {
    const kept: Kept = { table, row: row as Kept['row'], change }
    this.#byKey.set(keyTextOf(table, row), kept)
    this.#byRow.set(row, kept)
  }

  #keptOf(row: object): Kept {
    const kept = this.#byRow.get(row)
    if (kept === undefined) throw new Error('The row belongs to another database transaction.')
    return kept
  }

  #changes(): Statement[] {
    const inserted = new Map<Table<object>, Kept['row'][]>()
    const others: Statement[] = []
    for (const { table, row, change } of this.#byRow.values()) {
      if (change === 'insert') inserted.set(table, [...(inserted.get(table) ?? []), row])
      else if (change === 'delete') others.push(makeDelete(table, row))
      else if (change.size > 0) others.push(makeUpdate(table, row, [...change]))
    }
    return [...[...inserted].map(([table, rows]) => makeInsert(table, rows)), ...others]
  }
}

/** A row of a unit, and its pending write: for an update, the names of the changed properties. */
interface Kept {
  table: Table<object>
  row: Record<string, unknown>
  change: 'insert' | 'delete' | Set<string>
}

/**
 * Runs work in a database transaction, and writes at its end what the work has gathered.
 *
 * @returns the result of the work, and the committed events that have a target; the caller announces them.
 */
export async function transact<Result>(
  orm: Orm,
  work: (unit: Unit) => Promise<Result>,
): Promise<{ result: Result; announced: FiredEvent[] }> {
  const session = await openSession(orm)
  try {
    const unit = new Unit(session, orm)
    const result = await work(unit)
    return { result, announced: await unit.commit() }
  } catch (error) {
    await session.rollback()
    throw error
  }
}

/** Joins all writes into one statement; null where there is nothing to write. */
function oneStatement(parts: readonly Statement[], firing: EventsToFire | null): Statement | null {
  const expressions = parts.map(({ sql }, index) => `change_${index} as (${sql})`)
  const values = parts.flatMap((part) => part.values)
  if (firing !== null) {
    const sql = `with ${[...expressions, firing.expressions].join(', ')} ${firing.query}`
    return { sql, values: [...values, ...firing.parameters] }
  }
  return expressions.length === 0 ? null : { sql: `with ${expressions.join(', ')} select`, values }
}

function keyTextOf(table: Table<object>, row: object): string {
  return JSON.stringify([table.name, ...table.key.map((name) => (row as Kept['row'])[name])])
}

/** Inserts the rows of one table in the order in which they were made: the database numbers them in this order. */
function makeInsert({ name, columns }: Table<object>, rows: readonly Record<string, unknown>[]): Statement {
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

function makeUpdate(table: Table<object>, row: Record<string, unknown>, properties: readonly string[]): Statement {
  const set = properties.map((property) => `${columnIn(table, property).name} = ?`)
  const key = keyCondition(table, row)
  const values = properties.map((property) => columnIn(table, property).write(row[property]))
  return {
    sql: `update ${table.name} set ${set.join(', ')} where ${key.sql}`,
    values: [...values, ...key.values],
  }
}

function makeDelete(table: Table<object>, row: Record<string, unknown>): Statement {
  const { sql, values } = keyCondition(table, row)
  return { sql: `delete from ${table.name} where ${sql}`, values }
}

function keyCondition(table: Table<object>, row: Record<string, unknown>): Statement {
  return {
    sql: table.key.map((property) => `${columnIn(table, property).name} = ?`).join(' and '),
    values: table.key.map((property) => row[property]),
  }
}
