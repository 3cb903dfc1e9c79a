/**
 * What a value of a filterable field is, and so how it is compared: `keyword` and `word` letter by letter, `text`
 * whatever the case, `amount` in minor units of one currency, which the request has to name as well.
 */
export type FieldKind = 'keyword' | 'word' | 'text' | 'currency' | 'boolean' | 'integer' | 'amount' | 'instant'

/** One thing that a list can be narrowed by. Columns come from tables of the code, never from a request. */
export interface FilterField {
  column: string
  kind: FieldKind
  /** Of a `word`: every value that there is. */
  words?: readonly string[]
}

export type FilterOperator = '=' | '>=' | '<'

export interface Condition {
  field: FilterField
  operator: FilterOperator
  value: string | number | boolean | Date
}

export type SqlValue = Condition['value'] | null

/** A piece of SQL with a `?` for each value. */
export interface SqlCondition {
  sql: string
  values: readonly SqlValue[]
}

/** The condition in SQL, on columns that need no prefix. */
export function sqlOf({ field: { column, kind }, operator, value }: Condition): SqlCondition {
  return kind === 'text'
    ? { sql: `lower("${column}") = lower(?)`, values: [value] }
    : { sql: `"${column}" ${operator} ?`, values: [value] }
}

/** All of the conditions together. */
export function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  return {
    sql: conditions.map(({ sql }) => sql).join(' and '),
    values: conditions.flatMap(({ values }) => values),
  }
}
