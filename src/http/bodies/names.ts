import { emptyFields, type Fields, givenTwice, isFields } from './fields.ts'

/** `device.channel`, `device[channel]`, or mixed: a name, then steps with a dot or in brackets. */
const NESTED_NAME = /^[^.[\]]+(?:\.[^.[\]]+|\[[^[\]]+\])+$/

/** A step of a name; a dot in brackets belongs to its step, and `[]` of a form is an empty one. */
const STEP = /(?<=\[)[^[\]]*(?=\])|[^.[\]]+/g

/** More than any field has. */
const STEPS_MAX = 8

/** Longer than any field name with all its steps. */
const NAME_LENGTH_MAX = 512

/**
 * Moves the values of dotted and bracketed names to their nested fields, as form parsers do. Only the outermost names are
 * read so: inner names, such as metadata keys, may contain dots.
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
  if (!NESTED_NAME.test(name)) return [name]
  const path = stepsOf(name)
  // No field has such a step, or so many; as one long name it is an unknown field.
  return path.includes('__proto__') || path.length > STEPS_MAX ? [name] : path
}

/** A name longer than any field's is one step. */
export function stepsOf(name: string): string[] {
  return name.length > NAME_LENGTH_MAX ? [name] : (name.match(STEP) ?? [name])
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
