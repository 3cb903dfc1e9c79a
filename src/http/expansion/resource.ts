import type { IdentifierKind } from '../../../domain/identifiers.ts'
import type { EntityManager, Orm } from '../../persistence/orm.ts'
import type { ListEntity } from '../../persistence/queries/lists/list-entity.ts'
import type { Scope } from '../../persistence/queries/scope.ts'

/** Where rows are read, whose, and when. */
export interface Reader {
  readonly em: EntityManager
  scope: Scope
  now: Date
  /** What was read together with a row, for its presenter: see `Resource.beside`. */
  beside: Map<object, unknown>
}

/** What reads for one request. An entity manager of its own is made only where one is needed. */
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

/** An object as it stands in an answer. */
export type Presented = Record<string, unknown>

/** How the rows of another resource are found from a row: their `key` has the value of its `from`. */
export interface Relation<To extends string = string> {
  to: To
  from: string
  key: string
  isMany: boolean
}

/** A kind of object of the interface: how it is read, how it is shown, and what can be shown inside it. */
export interface Resource<To extends string = string> {
  entity: ListEntity
  kind: IdentifierKind
  /** The properties that order several of them inside another object; by default the oldest comes first. */
  order?: readonly string[]
  /** What the presenter needs beside a row, as JSON in SQL on a row named `found`, so that one statement reads both. */
  beside?: string
  /** Shows rows, having read for all of them at once what their presenter needs beside them. */
  present(reader: Reader, rows: readonly object[]): Promise<Presented[]> | Presented[]
  /** By the name of the field that is null unless it is asked for. */
  relations: Readonly<Record<string, Relation<To>>>
}

/** The one object that a property of the row names by its id. */
export const belongsTo = <const To extends string>(to: To, from: string): Relation<To> => {
  return { to, from, key: 'id', isMany: false }
}

/** The one object whose property names the row by its id. */
export const hasOne = <const To extends string>(to: To, key: string): Relation<To> => {
  return { to, from: 'id', key, isMany: false }
}

/** Every object whose property names the row by its id. */
export const hasMany = <const To extends string>(to: To, key: string): Relation<To> => {
  return { to, from: 'id', key, isMany: true }
}
