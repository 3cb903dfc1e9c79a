/** The column name of a field: `first_name` becomes `firstName`. */
export type ColumnName<Field> = Field extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<ColumnName<Rest>>}`
  : Field

export function columnName(field: string): string {
  return field.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

type AsShown<Value> = Value extends Date ? string : Value extends undefined ? null : Value

type ShownColumns<Shape, Row> = {
  [Field in keyof Shape as ColumnName<Field> extends keyof Row ? Field : never]: AsShown<
    Row[ColumnName<Field> & keyof Row]
  >
}

/** The columns of fields, and an object with every field null: to change a copy takes half the time of making one. */
interface Columns {
  columns: readonly { field: string; column: string }[]
  empty: Readonly<Record<string, unknown>>
}

const COLUMNS = new WeakMap<object, Columns>()

function columnsOf(fields: object): Columns {
  const known = COLUMNS.get(fields)
  if (known !== undefined) return known
  const names = Object.keys(fields)
  const columns = names.map((field) => ({ field, column: columnName(field) }))
  const empty: Record<string, unknown> = {}
  for (const name of names) empty[name] = null
  const made = { columns, empty }
  COLUMNS.set(fields, made)
  return made
}

/**
 * Those of these fields that show the column of their name: instants in RFC 3339, and null where there is no value. The
 * others are the presenter's to make; the compiler asks for them.
 *
 * @param fields by name: the shape of an object, or the table of a group
 */
export function shownColumns<Shape extends object, Row extends object>(
  fields: Shape,
  row: Row,
): ShownColumns<Shape, Row> {
  const { columns, empty } = columnsOf(fields)
  const shown: Record<string, unknown> = { ...empty }
  for (const { field, column } of columns) {
    const value = (row as Readonly<Record<string, unknown>>)[column]
    if (value !== undefined && value !== null) shown[field] = value instanceof Date ? value.toISOString() : value
  }
  return shown as ShownColumns<Shape, Row>
}
