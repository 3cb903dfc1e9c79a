/**
 * The type of a filterable field, which decides how values compare: `keyword` and `word` exactly, `text`
 * case-insensitively, `email` likewise, with its domain in ASCII, `amount` in minor units of one currency, which the request must name as well, `metadata` by the text
 * of one key.
 */
export type FieldKind =
  | 'keyword'
  | 'word'
  | 'text'
  | 'email'
  | 'currency'
  | 'boolean'
  | 'integer'
  | 'amount'
  | 'instant'
  | 'metadata'

/** A field that a list can be filtered by. Column names come from this code, never from a request. */
export interface FilterField {
  /** The column; or, where that is not all, the condition that a row of the project has the value at that moment. */
  column: string | ((value: string, at: Date, projectId: string) => SqlCondition)
  kind: FieldKind
  /** Of a `word`: all possible values. */
  words?: readonly string[]
  /** Of a status: those in `payment_status` that a value stands for, by which the list is looked up there. */
  statuses?: (value: string) => readonly string[]
}

export type FilterOperator = '=' | '>=' | '<'

export interface Condition {
  field: FilterField
  operator: FilterOperator
  /** Of `metadata`: the JSON of an object with one key. */
  value: string | number | boolean | Date
  /** The time of the request, by which expiry is judged. */
  at: Date
}

export type SqlValue = Condition['value'] | null

/** A piece of SQL with a `?` for each value. */
export interface SqlCondition {
  sql: string
  values: readonly SqlValue[]
}

/** The condition on rows of the project in SQL; columns need no prefix. */
export function sqlOf({ field: { column, kind }, operator, value, at }: Condition, projectId: string): SqlCondition {
  if (typeof column === 'function') return column(String(value), at, projectId)
  if (kind === 'text') return { sql: `lower("${column}") = lower(?)`, values: [value] }
  // Twice, since the index leaves out what is empty.
  if (kind === 'metadata') return { sql: `"${column}" <> '{}' and "${column}" @> ?::jsonb`, values: [value] }
  return { sql: `"${column}" ${operator} ?`, values: [value] }
}

/** Joins all conditions with `and`. */
export function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  return {
    sql: conditions.map(({ sql }) => sql).join(' and '),
    values: conditions.flatMap(({ values }) => values),
  }
}
