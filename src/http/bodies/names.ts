import { emptyFields, type Fields, givenTwice, isFields } from './fields.ts'

/** `device.channel`, `device[channel]`, or mixed: a name, then steps with a dot or in brackets. */
const NESTED_NAME = /^[^.[\]]+(?:\.[^.[\]]+|\[[^[\]]+\])+$/

/** The same in a form, where `[]` is the next item of a list. */
const FORM_NAME = /^[^.[\]]+(?:\.[^.[\]]+|\[[^[\]]*\])+$/
/** The separators of steps; a dot inside brackets belongs to its step. */
const FORM_STEP_END = /\]?(?:\[|\.(?![^[]*\]))|\]$/

/** Null is the next item of a list. */
export type FormStep = string | null

/** More than any field has. */
const STEPS_MAX = 8

/** Longer than any field name with all its steps. */
const NAME_LENGTH_MAX = 512

/**
 * Moves the values of dotted and bracketed names of a JSON body to their nested fields, as a form parser does. It reads
 * only the outermost names so: inner names, such as metadata keys, may contain dots.
 *
 * @throws ApiError where two names mean the same field.
 */
export function nestDottedNames(fields: Fields): Fields {
  const nested = emptyFields()
  for (const [name, value] of Object.entries(fields)) {
    const path = pathOf(name)
    put(nested, path, isFields(value) ? Object.assign(emptyFields(), value) : value)
  }
  return nested
}

function pathOf(name: string): string[] {
  if (name.length > NAME_LENGTH_MAX || !NESTED_NAME.test(name)) return [name]
  const path = name.replaceAll(']', '').split(/[.[]/)
  // No field has such a step, or so many; as one long name it is an unknown field.
  return path.includes('__proto__') || path.length > STEPS_MAX ? [name] : path
}

/** The steps of a form name; an invalid name, or one that reaches for a prototype, is one long, unknown name. */
export function formPathOf(name: string): FormStep[] {
  if (name.length > NAME_LENGTH_MAX || !FORM_NAME.test(name)) return [name]
  const steps = name.split(FORM_STEP_END)
  if (name.endsWith(']')) steps.pop()
  return steps.includes('__proto__') ? [name] : steps.map((step) => step || null)
}

/** @param at the number of path steps that lead to the fields. */
function put(fields: Fields, path: readonly string[], value: unknown, at = 0): void {
  const step = path[at] ?? ''
  const isLast = at === path.length - 1
  const there = Object.hasOwn(fields, step) ? fields[step] : undefined
  if (value === null && there !== undefined) return
  if (isLast && there === undefined) {
    fields[step] = value
  } else if (isLast && isFields(there) && isFields(value)) {
    for (const [key, inner] of Object.entries(value)) put(there, [...path, key], inner, path.length)
  } else if (!isLast && (there == null || isFields(there))) {
    const inner = there ?? emptyFields()
    fields[step] = inner
    put(inner, path, value, at + 1)
  } else {
    throw givenTwice(path.join('.'))
  }
}
