import type { ErrorCode } from '../../../domain/errors.ts'
import type { IdentifierKind } from '../../../domain/identifiers.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import type { ListEntity } from '../../persistence/queries/lists/list-entity.ts'
import type { Scope } from '../../persistence/queries/scope.ts'

/** Where rows are read, whose, and when. */
export interface Reader {
  em: EntityManager
  scope: Scope
  now: Date
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
  /** Null where no address names one by its id. */
  notFound: ErrorCode | null
  /** By which properties several of them are put in order where they are shown inside another object. */
  order: readonly string[]
  /** Shows rows, having read for all of them at once what their presenter needs beside them. */
  present(reader: Reader, rows: readonly object[]): Promise<Presented[]> | Presented[]
  /** By the name of the field that is null unless it is asked for. */
  relations: Readonly<Record<string, Relation<To>>>
}

/** The one object that a property of the row names by its id. */
export const belongsTo = <const To extends string>(to: To, from: string): Relation<To> => ({
  to,
  from,
  key: 'id',
  isMany: false,
})

/** The one object whose property names the row by its id. */
export const hasOne = <const To extends string>(to: To, key: string): Relation<To> => ({
  to,
  from: 'id',
  key,
  isMany: false,
})

/** Every object whose property names the row by its id. */
export const hasMany = <const To extends string>(to: To, key: string): Relation<To> => ({
  to,
  from: 'id',
  key,
  isMany: true,
})
