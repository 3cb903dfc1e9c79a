import { type ColumnName, columnName } from '../../objects/columns.ts'

/** Values of fields by their column names; undefined ones are optional. */
type ColumnsOf<Fields> = {
  [Field in keyof Fields as undefined extends Fields[Field] ? never : ColumnName<Field>]: Fields[Field]
} & {
  [Field in keyof Fields as undefined extends Fields[Field] ? ColumnName<Field> : never]?: Exclude<
    Fields[Field],
    undefined
  >
}

/** Renames fields to their columns; undefined values are dropped. */
export function columnsOf<Fields extends object>(fields: Fields): ColumnsOf<Fields> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [columnName(name), value])) as ColumnsOf<Fields>
}

/** The same for some fields of a group; missing ones become null. */
export function columnsIn<Group extends object, Name extends keyof Group & string>(
  group: Group | undefined,
  names: readonly Name[],
) {
  const values = names.map((name) => [name, group?.[name] ?? null])
  return columnsOf(Object.fromEntries(values) as { [Field in Name]-?: NonNullable<Group[Field]> | null })
}

/** The fields but for these. */
export function without<Fields extends object, Name extends keyof Fields & string>(
  fields: Fields,
  names: readonly Name[],
): Omit<Fields, Name> {
  const others = Object.entries(fields).filter(([name]) => !(names as readonly string[]).includes(name))
  return Object.fromEntries(others) as Omit<Fields, Name>
}

/** Of the fields only these. */
export function only<Fields extends object, Name extends keyof Fields & string>(
  fields: Fields,
  names: readonly Name[],
): Pick<Fields, Name> {
  const wanted = Object.entries(fields).filter(([name]) => (names as readonly string[]).includes(name))
  return Object.fromEntries(wanted) as Pick<Fields, Name>
}
