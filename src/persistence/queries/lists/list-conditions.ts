/**
 * What a value of a filterable field is, and so how it is compared: `keyword` and `word` letter by letter, `text`
 * whatever the case, `amount` in minor units of one currency, which the request has to name as well, `metadata` by the text
 * of one key.
 */
export type FieldKind =
  | 'keyword'
  | 'word'
  | 'text'
  | 'currency'
  | 'boolean'
  | 'integer'
  | 'amount'
  | 'instant'
  | 'metadata'

/** One thing that a list can be narrowed by. Columns come from tables of the code, never from a request. */
export interface FilterField {
  /** The column, or where the value is in none of this table, the condition that a row has it at this moment. */
  column: string | ((value: string, at: Date) => SqlCondition)
  kind: FieldKind
  /** Of a `word`: every value that there is. */
  words?: readonly string[]
}

export type FilterOperator = '=' | '>=' | '<'

export interface Condition {
  field: FilterField
  operator: FilterOperator
  /** Of `metadata` the JSON of an object with its one key. */
  value: string | number | boolean | Date
  /** When it is asked: what has expired is judged by it. */
  at: Date
}

export type SqlValue = Condition['value'] | null

/** A piece of SQL with a `?` for each value. */
export interface SqlCondition {
  sql: string
  values: readonly SqlValue[]
}

/** The condition in SQL, on columns that need no prefix. */
export function sqlOf({ field: { column, kind }, operator, value, at }: Condition): SqlCondition {
  if (typeof column === 'function') return column(String(value), at)
  if (kind === 'text') return { sql: `lower("${column}") = lower(?)`, values: [value] }
  if (kind === 'metadata') return { sql: `"${column}" @> ?::jsonb`, values: [value] }
  return { sql: `"${column}" ${operator} ?`, values: [value] }
}

/** All of the conditions together. */
export function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  return {
    sql: conditions.map(({ sql }) => sql).join(' and '),
    values: conditions.flatMap(({ values }) => values),
  }
}
