import { isDeepStrictEqual } from 'node:util'
import { type ChangeSet, ChangeSetType, type EntityMetadata } from '@mikro-orm/postgresql'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { EntityManager, Orm } from './orm.ts'
import type { Scope } from './queries/scope.ts'
import {
  type Announced,
  type EventsToFire,
  firingOf,
  type NewEvent,
  type Targets,
} from './queries/webhooks/fire-events.ts'
import { openSession, type Session, type Statement } from './session.ts'

/** What a database transaction is to write beside the rows of its unit of work. */
export interface Writes {
  /** Writes events with the change that they tell of; those of one transaction all go to the same targets. */
  fire(scope: Scope, events: readonly NewEvent[], targets: Targets): void
  /** A statement that changes rows which nobody else in the transaction changes. */
  also(sql: string, parameters: readonly unknown[]): void
  /** For what can be done only when everything is written, and must be part of the transaction all the same. */
  afterwards(act: () => Promise<void>): void
}

/** A database transaction as work in it sees it. */
export interface Unit {
  em: EntityManager
  /** Runs a statement whose text is one of a few. */
  run: Session['run']
  writes: Writes
}

/**
 * Runs work in a database transaction, and writes at its end in one statement what the unit of work has gathered: each row
 * once, in whatever order, since references are checked when the statement is done, or at the commit.
 *
 * @returns what the work gave, and the events that somebody is to receive, to be announced now that they are committed.
 */
export async function transact<Result>(
  orm: Orm,
  work: (unit: Unit) => Promise<Result>,
): Promise<{ result: Result; announced: FiredEvent[] }> {
  const em = orm.em.fork()
  const session = await openSession(orm, em)
  try {
    let fired: { scope: Scope; targets: Targets; events: NewEvent[] } | null = null
    const statements: Asked[] = []
    const acts: (() => Promise<void>)[] = []
    const writes: Writes = {
      fire(scope, events, targets) {
        if (events.length === 0) return
        fired ??= { scope, targets, events: [] }
        if (!isDeepStrictEqual(fired.targets, targets))
          throw new Error('The events of a transaction all go to the same targets.')
        fired.events.push(...events)
      },
      also: (sql, parameters) => void statements.push({ sql, parameters }),
      afterwards: (act) => void acts.push(act),
    }
    const result = await work({ em, run: session.run, writes })
    const firing = firingIn(fired)
    const change = changeOf(em, statements, firing)
    // What comes afterwards may fail or change more: then the commit waits for it.
    const isLast = acts.length === 0
    const written = isLast || change === null ? [] : await session.run<Announced>(change)
    for (const act of acts) await act()
    const committed = await session.commit<Announced>(isLast ? change : null)
    const announced = announcedBy(firing, isLast ? committed : written)
    return { result, announced }
  } catch (error) {
    await session.rollback()
    throw error
  }
}

function firingIn(fired: { scope: Scope; targets: Targets; events: readonly NewEvent[] } | null): EventsToFire | null {
  return fired === null ? null : firingOf(fired.scope, fired.events, fired.targets)
}

/** A part of the statement, with `?` for its values. */
interface Asked {
  sql: string
  parameters: readonly unknown[]
}

function announcedBy(firing: EventsToFire | null, rows: readonly Announced[]): FiredEvent[] {
  return firing === null ? [] : firing.announced(rows)
}

/** Gives the place of a value in the statement. */
type Place = (value: unknown) => string

/** What is to be written as one statement, whose text depends on which columns of how many rows are written alone. */
function changeOf(em: EntityManager, statements: readonly Asked[], firing: EventsToFire | null): Statement | null {
  const unitOfWork = em.getUnitOfWork()
  unitOfWork.computeChangeSets()
  const values: unknown[] = []
  const place: Place = (value) => `$${values.push(value)}`
  const placed = ({ sql, parameters }: Asked) => {
    const given = parameters.values()
    return sql.replaceAll('?', () => place(given.next().value))
  }
  const all = [...statements.map(placed), ...statementsOf(em, place, unitOfWork.getChangeSets())]
  const expressions = all.map((statement, index) => `change_${index} as (${statement})`)
  if (firing !== null) {
    const { expressions: firingThem, query, parameters } = firing
    expressions.push(placed({ sql: `${firingThem} ${query}`, parameters }))
  } else if (expressions.length > 0) {
    expressions[expressions.length - 1] += ' select'
  } else {
    return null
  }
  return { sql: `with ${expressions.join(', ')}`, values }
}

function statementsOf(em: EntityManager, place: Place, changes: readonly ChangeSet<object>[]): string[] {
  const inserts = Map.groupBy(
    changes.filter(({ type }) => type === ChangeSetType.CREATE),
    ({ meta }) => meta,
  )
  const others = changes.filter(({ type }) => type !== ChangeSetType.CREATE)
  return [
    ...[...inserts].map(([meta, rows]) => insertOf(em, place, meta, rows)),
    ...others.map((change) =>
      change.type === ChangeSetType.UPDATE ? updateOf(em, place, change) : deleteOf(em, place, change),
    ),
  ]
}

/** The rows of one table in the order in which they were made, which is how the database numbers them. */
function insertOf(em: EntityManager, place: Place, meta: EntityMetadata, rows: readonly ChangeSet<object>[]): string {
  const names = [...new Set(rows.flatMap(({ payload }) => Object.keys(payload)))]
  const values = rows.map(({ payload }) => {
    const given = payload as Record<string, unknown>
    return `(${names.map((name) => (given[name] === undefined ? 'default' : place(given[name]))).join(', ')})`
  })
  const columns = names.map((name) => columnOf(em, meta, name))
  return `insert into ${tableOf(em, meta)} (${columns.join(', ')}) values ${values.join(', ')}`
}

function updateOf(em: EntityManager, place: Place, { meta, payload, entity }: ChangeSet<object>): string {
  const set = Object.entries(payload).map(([name, value]) => `${columnOf(em, meta, name)} = ${place(value)}`)
  return `update ${tableOf(em, meta)} set ${set.join(', ')} where ${keyOf(em, place, meta, entity)}`
}

function deleteOf(em: EntityManager, place: Place, { meta, entity }: ChangeSet<object>): string {
  return `delete from ${tableOf(em, meta)} where ${keyOf(em, place, meta, entity)}`
}

function keyOf(em: EntityManager, place: Place, meta: EntityMetadata, entity: object): string {
  return meta.primaryKeys
    .map((name) => `${columnOf(em, meta, name)} = ${place((entity as Record<string, unknown>)[name])}`)
    .join(' and ')
}

function tableOf(em: EntityManager, { tableName }: EntityMetadata): string {
  return em.getPlatform().quoteIdentifier(tableName)
}

function columnOf(em: EntityManager, { properties }: EntityMetadata, name: string): string {
  const column = (properties as Record<string, { fieldNames: string[] }>)[name]?.fieldNames[0]
  if (column === undefined) throw new Error(`No column is known for ${name}.`)
  return em.getPlatform().quoteIdentifier(column)
}
