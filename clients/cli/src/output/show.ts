import { type Io, say, widthOf } from '../io.ts'
import { describe } from './describe.ts'
import { painterOf } from './style.ts'
import { tableOf } from './table.ts'

/** The options that every command has. */
export interface OutputOptions {
  json?: boolean
}

/** Half of a pair of surrogates, which some programs cannot read, is U+FFFD. */
export const jsonOf = (value: object, indent?: number) =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? inner.toWellFormed() : inner), indent)

/** The answer, for a program or for a person. */
export function show(io: Io, { json = false }: OutputOptions, answer: object, forPeople: () => string): void {
  say(io, json ? jsonOf(answer, 2) : forPeople())
}

/** Of a stream: one line for each, so that a program can read them as they come. */
export function showLine(io: Io, { json = false }: OutputOptions, answer: object, forPeople: () => string): void {
  say(io, json ? jsonOf(answer) : forPeople())
}

export function showObject(io: Io, options: OutputOptions, answer: object): void {
  show(io, options, answer, () => describe(answer, painterOf(io.stdout)))
}

export const tableFor = (io: Io, rows: readonly object[]) => tableOf(rows, widthOf(io), painterOf(io.stdout))
