/** The name of a column for that of a field: `first_name` and `firstName`. */
type ColumnName<Field> = Field extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<ColumnName<Rest>>}`
  : Field

/** The values of fields under the names of their columns; what may be undefined may be absent. */
type ColumnsOf<Fields> = {
  [Field in keyof Fields as undefined extends Fields[Field] ? never : ColumnName<Field>]: Fields[Field]
} & {
  [Field in keyof Fields as undefined extends Fields[Field] ? ColumnName<Field> : never]?: Exclude<
    Fields[Field],
    undefined
  >
}

/** Puts fields that are stored as they were read under the names of their columns; what is undefined is left out. */
export function columnsOf<Fields extends object>(fields: Fields): ColumnsOf<Fields> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [columnName(name), value])) as ColumnsOf<Fields>
}

export function columnName(field: string): string {
  return field.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** The same of some fields of a group, of which those that are not given are null. */
export function columnsIn<Group extends object, Name extends keyof Group & string>(
  group: Group | undefined,
  names: readonly Name[],
) {
  const values = names.map((name) => [name, group?.[name] ?? null])
  return columnsOf(Object.fromEntries(values) as { [Field in Name]-?: NonNullable<Group[Field]> | null })
}
