import { ApiError } from './api-error.ts'

type Fields = Record<string, unknown>

/** `device.channel`, `device[channel]`, and both mixed: a name, then steps with a dot or in brackets. */
const NESTED_NAME = /^([^.[\]]+)((?:\.[^.[\]]+|\[[^[\]]+\])+)$/
const STEP = /\.([^.[\]]+)|\[([^[\]]+)\]/g

/** More than any field of this interface has. */
const STEPS_MAX = 8

/**
 * Puts the values of dotted and bracketed names of a JSON body where they mean, as a form parser does. Only the
 * outermost names are read so: a name inside an object, such as a metadata key, may hold dots of its own.
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

/** Fields without a prototype: a name such as `constructor` finds nothing and is an ordinary, unknown name. */
function emptyFields(): Fields {
  return Object.create(null) as Fields
}

function pathOf(name: string): string[] {
  const match = NESTED_NAME.exec(name)
  if (match === null) return [name]
  const [, first = '', steps = ''] = match
  const path = [first, ...[...steps.matchAll(STEP)].map(([, dotted, bracketed]) => dotted ?? bracketed ?? '')]
  // No field has such a step, or as many; read as one long name it is an unknown field, and leads nowhere.
  return path.includes('__proto__') || path.length > STEPS_MAX ? [name] : path
}

function put(fields: Fields, path: string[], value: unknown, name = path.join('.')): void {
  const [step = '', ...rest] = path
  const there = Object.hasOwn(fields, step) ? fields[step] : undefined
  if (value === null && there !== undefined) return
  if (rest.length === 0 && there === undefined) {
    fields[step] = value
  } else if (rest.length === 0 && isFields(there) && isFields(value)) {
    for (const [key, inner] of Object.entries(value)) put(there, [key], inner, `${name}.${key}`)
  } else if (rest.length > 0 && (there == null || isFields(there))) {
    const inner = there ?? emptyFields()
    fields[step] = inner
    put(inner, rest, value, name)
  } else {
    const message = 'is given twice'
    throw new ApiError('request.bad-format', { message: `${name} ${message}.`, invalidFields: [{ name, message }] })
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
