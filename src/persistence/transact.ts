import { isDeepStrictEqual } from 'node:util'
import type { EntityName, RequiredEntityData } from '@mikro-orm/postgresql'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { Orm } from './orm.ts'
import type { Scope } from './queries/scope.ts'
import { type Announced, firingOf, type NewEvent, type Targets } from './queries/webhooks/fire-events.ts'
import { findRows, type JsonRow, type Reader, type Statement, type Tables } from './rows.ts'
import { openSession } from './session.ts'
import { keepRows } from './unit-rows.ts'

/**
 * A database transaction of a payment. What is to be written is gathered and written at its end in one statement: each row
 * once, in whatever order, since references are checked when the statement is done, or at the commit.
 */
export interface Unit extends Reader {
  /** A row that was read as JSON, to be changed; the same object where the unit has it already. */
  kept<Row extends object>(entity: EntityName<Row>, json: JsonRow): Row
  insert<Row extends object>(entity: EntityName<Row>, row: RequiredEntityData<NoInfer<Row>>): Row
  /** Changes a row that the unit has read or inserted. */
  update<Row extends object>(row: Row, values: Partial<Row>): void
  /** Reads a row again that the unit has read, since it has got a lock meanwhile. */
  refresh<Row extends object>(entity: EntityName<Row>, row: Row): Promise<void>
  delete<Row extends object>(row: Row): void
  /** A statement with `?` for its values that changes rows which nobody else in the transaction changes. */
  also(sql: string, values: unknown[]): void
  /** Writes events with the change that they tell of; those of one transaction all go to the same targets. */
  fire(scope: Scope, events: readonly NewEvent[], targets: Targets): void
  /** The same with a statement that is made when everything else is known. */
  lastly(make: () => Statement): void
}

/**
 * Runs work in a database transaction, and writes at its end what the work has gathered.
 *
 * @returns what the work gave, and the events that somebody is to receive, to be announced now that they are committed.
 */
export async function transact<Result>(
  orm: Orm,
  work: (unit: Unit) => Promise<Result>,
): Promise<{ result: Result; announced: FiredEvent[] }> {
  const session = await openSession(orm)
  try {
    const tables: Tables = orm.em
    const rows = keepRows(tables)
    const others: Statement[] = []
    const last: (() => Statement)[] = []
    const firing = gatherEvents()
    const unit: Unit = {
      getMetadata: tables.getMetadata.bind(tables),
      execute: (sql, values = []) => session.run(sql, values),
      kept: rows.kept,
      known: rows.known,
      insert: rows.insert,
      update: rows.update,
      async refresh(entity, row) {
        const [fresh] = await findRows(
          { execute: unit.execute, getMetadata: unit.getMetadata },
          entity,
          rows.keyOf(row),
        )
        Object.assign(row, fresh)
      },
      delete: rows.delete,
      also: (sql, values) => void others.push({ sql, values }),
      fire: firing.fire,
      lastly: (make) => void last.push(make),
    }
    const result = await work(unit)
    const statements = [...others, ...last.map((make) => make()), ...rows.changes()]
    const written = await session.commit<Announced[]>(oneStatement(statements, firing.part()))
    return { result, announced: firing.announced(written) }
  } catch (error) {
    await session.rollback()
    throw error
  }
}

/** What is to be written as one statement; null where nothing is. */
function oneStatement(parts: readonly Statement[], firing: Statement | null): Statement | null {
  const expressions = parts.map(({ sql }, index) => `change_${index} as (${sql})`)
  const values = parts.flatMap((part) => part.values)
  if (firing !== null)
    return { sql: `with ${[...expressions, firing.sql].join(', ')}`, values: [...values, ...firing.values] }
  return expressions.length === 0 ? null : { sql: `with ${expressions.join(', ')} select`, values }
}

function gatherEvents() {
  let fired: { scope: Scope; targets: Targets; events: NewEvent[] } | null = null
  const firing = () => (fired === null ? null : firingOf(fired.scope, fired.events, fired.targets))
  return {
    fire(scope: Scope, events: readonly NewEvent[], targets: Targets) {
      if (events.length === 0) return
      fired ??= { scope, targets, events: [] }
      if (!isDeepStrictEqual(fired.targets, targets))
        throw new Error('The events of a transaction all go to the same targets.')
      fired.events.push(...events)
    },
    part(): Statement | null {
      const events = firing()
      return events === null ? null : { sql: `${events.expressions} ${events.query}`, values: events.parameters }
    },
    announced: (rows: readonly Announced[]) => firing()?.announced(rows) ?? [],
  }
}
