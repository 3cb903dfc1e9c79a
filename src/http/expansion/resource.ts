import type { IdentifierKind } from '../../../domain/identifiers.ts'
import type { EntityManager, Orm } from '../../persistence/orm.ts'
import type { ListEntity } from '../../persistence/queries/lists/list-entity.ts'
import type { Scope } from '../../persistence/queries/scope.ts'

/** The entity manager, scope and time of a reading. */
export interface Reader {
  readonly em: EntityManager
  scope: Scope
  now: Date
  /** The data read with a row, for its presenter: see `Resource.beside`. */
  beside: Map<object, unknown>
}

/** The reader of one request. It forks an entity manager only if one is needed. */
export function readerOn({ em }: Orm, scope: Scope, now: Date): Reader {
  let forked: EntityManager | undefined
  return {
    get em() {
      forked ??= em.fork()
      return forked
    },
    scope,
    now,
    beside: new Map(),
  }
}

/** An object as answers show it. */
export type Presented = Record<string, unknown>

/** Presents rows that need no further data. */
export const each =
  <Row>(present: (row: Row, now: Date) => Presented) =>
  ({ now }: Reader, rows: readonly Row[]): Presented[] =>
    rows.map((row) => present(row, now))

/** Finds related rows: their `key` equals the row's `from`. */
export interface Relation<To extends string = string> {
  to: To
  from: string
  key: string
  isMany: boolean
}

/** A kind of API object: how to read and present it, and its relations. */
export interface Resource<To extends string = string> {
  entity: ListEntity
  kind: IdentifierKind
  /** The order inside another object; by default the oldest first. */
  order?: readonly string[]
  /**
   * Data that the presenter needs besides the row: JSON in SQL with the row named `found`, so that one statement reads
   * both.
   */
  beside?: string
  /** Presents rows; reads further data for all of them at once. */
  present(reader: Reader, rows: readonly object[]): Promise<Presented[]> | Presented[]
  /** What `expand` may name beside its relations, since client libraries do: it is shown in any case. */
  alwaysShown?: readonly string[]
  /** By the field name, which is null unless expanded. */
  relations: Readonly<Record<string, Relation<To>>>
}

/** The object whose id a property of the row contains: that of its name, such as `invoiceId`, by default. */
export const belongsTo = <const To extends string>(to: To, from = `${camelCase(to)}Id`): Relation<To> => {
  return { to, from, key: 'id', isMany: false }
}

const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The one object with a property that contains the row's id. */
export const hasOne = <const To extends string>(to: To, key: string): Relation<To> => {
  return { to, from: 'id', key, isMany: false }
}

/** All objects with a property that contains the row's id. */
export const hasMany = <const To extends string>(to: To, key: string): Relation<To> => {
  return { to, from: 'id', key, isMany: true }
}
