/** The name of a column for that of a field: `first_name` and `firstName`. */
type ColumnName<Field> = Field extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<ColumnName<Rest>>}`
  : Field

/** The values of fields under the names of their columns. */
export type ColumnsOf<Fields> = { [Field in keyof Fields as ColumnName<Field & string>]: Fields[Field] }

/** Puts fields that are stored as they were read under the names of their columns; what is undefined is left out. */
export function columnsOf<Fields extends object>(fields: Fields): ColumnsOf<Fields> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [columnName(name), value])) as ColumnsOf<Fields>
}

function columnName(field: string): string {
  return field.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}
