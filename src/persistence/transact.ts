import { type ChangeSet, ChangeSetType, type EntityMetadata } from '@mikro-orm/postgresql'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { EntityManager, Orm } from './orm.ts'
import type { Scope } from './queries/scope.ts'
import { type EventsToFire, firingOf, type NewEvent, type Targets } from './queries/webhooks/fire-events.ts'

/** What a database transaction is to write beside the rows of its unit of work. */
export interface Writes {
  /** Writes events with the change that they tell of, once in a transaction. */
  fire(scope: Scope, events: readonly NewEvent[], targets: Targets): void
  /** A statement that changes rows which nobody else in the transaction changes. */
  also(sql: string, parameters: readonly unknown[]): void
  /** For what can be done only when everything is written, and must be part of the transaction all the same. */
  afterwards(act: () => Promise<void>): void
}

/** A database transaction as work in it sees it. */
export interface Unit {
  em: EntityManager
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
  await em.begin()
  try {
    let firing: EventsToFire | null = null
    const statements: string[] = []
    const acts: (() => Promise<void>)[] = []
    const writes: Writes = {
      fire(scope, events, targets) {
        if (events.length === 0) return
        if (firing !== null) throw new Error('A transaction fires its events once.')
        firing = firingOf(scope, events, targets)
      },
      also: (sql, parameters) => void statements.push(em.getPlatform().formatQuery(sql, parameters)),
      afterwards: (act) => void acts.push(act),
    }
    const result = await work({ em, writes })
    const announced = await write(em, statements, firing)
    for (const act of acts) await act()
    // Everything is written: the commit has nothing to look for.
    em.clear()
    await em.commit()
    return { result, announced }
  } catch (error) {
    // On a connection that broke nothing is left to roll back; what broke it is what is told.
    await em.rollback().catch(() => undefined)
    throw error
  }
}

async function write(
  em: EntityManager,
  statements: readonly string[],
  firing: EventsToFire | null,
): Promise<FiredEvent[]> {
  const unitOfWork = em.getUnitOfWork()
  unitOfWork.computeChangeSets()
  const all = [...statements, ...statementsOf(em, unitOfWork.getChangeSets())]
  const named = all.map((statement, index) => `change_${index} as (${statement})`)
  if (firing === null) {
    if (named.length > 0) await em.execute(`with ${named.join(', ')} select`)
    return []
  }
  const { expressions, query, parameters, announced } = firing
  const fired = em.getPlatform().formatQuery(`${expressions} ${query}`, parameters)
  const rows = await em.execute<{ id: string }[]>(`with ${[...named, fired].join(', ')}`)
  return announced(rows)
}

function statementsOf(em: EntityManager, changes: readonly ChangeSet<object>[]): string[] {
  const inserts = Map.groupBy(
    changes.filter(({ type }) => type === ChangeSetType.CREATE),
    ({ meta }) => meta,
  )
  const others = changes.filter(({ type }) => type !== ChangeSetType.CREATE)
  return [
    ...[...inserts].map(([meta, rows]) => insertOf(em, meta, rows)),
    ...others.map((change) => (change.type === ChangeSetType.UPDATE ? updateOf(em, change) : deleteOf(em, change))),
  ]
}

/** The rows of one table in the order in which they were made, which is how the database numbers them. */
function insertOf(em: EntityManager, meta: EntityMetadata, rows: readonly ChangeSet<object>[]): string {
  const names = [...new Set(rows.flatMap(({ payload }) => Object.keys(payload)))]
  const values = rows.map(({ payload }) => {
    const given = payload as Record<string, unknown>
    return `(${names.map((name) => (given[name] === undefined ? 'default' : quote(em, given[name]))).join(', ')})`
  })
  const columns = names.map((name) => columnOf(em, meta, name))
  return `insert into ${tableOf(em, meta)} (${columns.join(', ')}) values ${values.join(', ')}`
}

function updateOf(em: EntityManager, { meta, payload, entity }: ChangeSet<object>): string {
  const set = Object.entries(payload).map(([name, value]) => `${columnOf(em, meta, name)} = ${quote(em, value)}`)
  return `update ${tableOf(em, meta)} set ${set.join(', ')} where ${keyOf(em, meta, entity)}`
}

function deleteOf(em: EntityManager, { meta, entity }: ChangeSet<object>): string {
  return `delete from ${tableOf(em, meta)} where ${keyOf(em, meta, entity)}`
}

function keyOf(em: EntityManager, meta: EntityMetadata, entity: object): string {
  return meta.primaryKeys
    .map((name) => `${columnOf(em, meta, name)} = ${quote(em, (entity as Record<string, unknown>)[name])}`)
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

/** A value that was taken from a row without naming another one is gone, like null. */
function quote(em: EntityManager, value: unknown): string {
  return value == null ? 'null' : em.getPlatform().quoteValue(value)
}
