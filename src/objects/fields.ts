import type { z } from 'zod'
import type { ErrorCode } from '../../domain/errors.ts'
import * as shown from './shown.ts'
import * as taken from './taken.ts'

/** A field of which more is known than how it is shown. */
interface Field<Shows extends z.ZodType = z.ZodType> {
  shows: Shows
  /** How a request gives it; absent where none can. */
  takes?(scalars: taken.Scalars): z.ZodType
  /** Whether clients see it, who have no secret. */
  isShownToClients?: boolean
  /** Whether it tells of a person: the deletion of a customer erases it from events. */
  isPersonal?: boolean
}

/** A field that requests give and answers show. */
interface Both<Shows extends z.ZodType, Takes extends z.ZodType> extends Field<Shows> {
  takes(scalars: taken.Scalars): Takes
}

/** The fields of an object by name. One that is a schema only is shown, to merchants only, and no request gives it. */
export type Fields = Readonly<Record<string, z.ZodType | Field>>

/** @example email: both(orNull(text('The email address.')), emailAddress) */
export function both<Shows extends z.ZodType, Takes extends z.ZodType>(
  shows: Shows,
  takes: Takes | ((scalars: taken.Scalars) => Takes),
): Both<Shows, Takes> {
  return { shows, takes: typeof takes === 'function' ? (takes as (scalars: taken.Scalars) => Takes) : () => takes }
}

/** One word of a list, or null. */
export const wordOrNull = <const Word extends string>(
  words: readonly Word[],
  description: string,
  invalid?: ErrorCode,
) => both(shown.orNull(shown.word(words, description)), taken.optionalWord(words, invalid))

export const METADATA = both(shown.metadata('Your own keys and values.'), taken.metadata)

/** Fields that clients see. All others are hidden from them, and so is a field of tomorrow. */
export const shownToClients = <Table extends Fields>(fields: Table) => marked(fields, { isShownToClients: true })

/** Fields that tell of a person. */
export const personal = <Table extends Fields>(fields: Table) => marked(fields, { isPersonal: true })

function marked<Table extends Fields>(fields: Table, mark: Omit<Field, 'shows' | 'takes'>) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { ...(isField(field) ? field : { shows: field }), ...mark }]),
  ) as { [Name in keyof Table]: Table[Name] extends z.ZodType ? Field<Table[Name]> : Table[Name] }
}

export const isField = (field: Fields[string]): field is Field => 'shows' in field

/** The shape of an object in answers. */
export type ShownShape<Table extends Fields> = {
  [Name in keyof Table]: Table[Name] extends Field<infer Shows>
    ? Shows
    : Table[Name] extends z.ZodType
      ? Table[Name]
      : never
}

export function shownFields<Table extends Fields>(fields: Table) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, isField(field) ? field.shows : field]),
  ) as ShownShape<Table>
}

/** The fields that requests give. */
type TakenName<Table extends Fields> = {
  [Name in keyof Table]: Table[Name] extends Both<z.ZodType, z.ZodType> ? Name : never
}[keyof Table] &
  string

export const takenNames = <Table extends Fields>(fields: Table) =>
  Object.entries(fields).flatMap(([name, field]) =>
    isField(field) && field.takes !== undefined ? [name] : [],
  ) as TakenName<Table>[]

/** The shape of an object in requests. */
export function takenFields<Table extends Fields>(fields: Table, scalars: taken.Scalars) {
  return Object.fromEntries(
    takenNames(fields).map((name) => [name, (fields[name] as Both<z.ZodType, z.ZodType>).takes(scalars)]),
  ) as { [Name in TakenName<Table>]: Table[Name] extends Both<z.ZodType, infer Takes> ? Takes : never }
}

/** A group of fields in requests, such as an address. */
export const takenGroup =
  <Table extends Fields>(fields: Table) =>
  (scalars: taken.Scalars) =>
    taken.group(takenFields(fields, scalars)).optional()
