import { exampleId } from '../../http/openapi/example-id.ts'

/** The project of all examples, in the sandbox. */
export const OWNER = { projectId: exampleId('project'), sandbox: true }

/** The examples tell one story, which begins then; `minutes` later. */
export function at(minutes: number): Date {
  return new Date(Date.UTC(2026, 10, 21, 9, 0) + minutes * 60_000)
}

/** The properties of a row that are never null, and any of the others. */
type Given<Row> = { [Name in keyof Row as null extends Row[Name] ? never : Name]: Row[Name] } & {
  [Name in keyof Row]?: Row[Name]
}

/** A row whose other properties are null: a presenter does not tell an absent one from null. */
export function exampleRow<Row>(given: Given<Row>): Row {
  return given as Row
}
