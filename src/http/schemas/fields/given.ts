import type { ParsedBody } from '../../middleware/body.ts'

/**
 * What a request changes: the fields that it names with a value. Null and absence change nothing; an empty text clears a
 * field, except in a form, which has no other way to write null.
 */
export function givenFields<Input extends object>(input: Input, { fields, isForm }: ParsedBody): Partial<Input> {
  const isGiven = (value: unknown) => value !== null && value !== undefined && !(isForm && value === '')
  return Object.fromEntries(Object.entries(input).filter(([name]) => isGiven(fields[name]))) as Partial<Input>
}
