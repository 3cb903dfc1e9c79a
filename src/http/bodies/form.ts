import { ApiError } from '../api-error.ts'
import { type BodyLimits, emptyFields, type Fields, refuseTooManyNames, tooDeep, tooManyEntries } from './fields.ts'
import { type FormStep, formPathOf } from './names.ts'

/** What stands under a name while a form is read: a text, or more names and items of a list. */
type Slot = string | Group

interface Group {
  names: Map<string, Slot>
  /** What was added with `[]`, or by naming the same field again. */
  items: Slot[]
}

/** `curl -d '{…}'` sends JSON under the type of a form. No name of a field begins so. */
const JSON_TEXT = /^\s*[{[]/

const JSON_AS_FORM =
  'The body looks like JSON, and its Content-Type is application/x-www-form-urlencoded. Send Content-Type: application/json with it.'

/** The place of an item in a list. */
const INDEX = /^\d{1,6}$/

/**
 * The fields of a form. `device.channel` and `device[channel]` mean the same. A list is written as `ids[]=a&ids[]=b`,
 * `ids[0]=a&ids[1]=b` or `ids=a&ids=b`. In a list of objects, `details[][name]` begins the next one where the last one
 * has a name already.
 *
 * @throws ApiError beyond the limits, and where two names contradict each other.
 */
export function readForm(text: string, limits: BodyLimits): Fields {
  if (JSON_TEXT.test(text)) throw new ApiError('request.bad-format', { message: JSON_AS_FORM })
  const root = emptyGroup()
  // Counted before anything is decoded, which takes many times as long.
  if (text.split('&', limits.entries + 1).length > limits.entries) throw tooManyEntries(limits)
  for (const [name, value] of new URLSearchParams(text)) {
    const path = formPathOf(name)
    if (path.length > limits.depth) throw tooDeep(limits)
    put(root, path, value, name)
  }
  return refuseTooManyNames(fieldsOf(root, ''))
}

const emptyGroup = (): Group => ({ names: new Map(), items: [] })

function put(group: Group, path: readonly FormStep[], value: string, written: string): void {
  const [step = null, ...rest] = path
  if (step === null) {
    if (rest.length === 0) group.items.push(value)
    else put(nextItem(group, rest), rest, value, written)
    return
  }
  const there = group.names.get(step)
  if (rest.length === 0 && there === undefined) group.names.set(step, value)
  else if (rest.length === 0) listAt(group, step).items.push(value)
  else if (typeof there !== 'string') put(there ?? groupAt(group, step), rest, value, written)
  else if (rest[0] === null) put(listAt(group, step), rest, value, written)
  else throw givenTwice(written)
}

/** The last object of a list, or a new one where the last one has this name already. */
function nextItem(group: Group, path: readonly FormStep[]): Group {
  const last = group.items.at(-1)
  if (last !== undefined && typeof last !== 'string' && !isGiven(last, path)) return last
  const item = emptyGroup()
  group.items.push(item)
  return item
}

function isGiven(group: Group, [step = null, ...rest]: readonly FormStep[]): boolean {
  const there = step === null ? undefined : group.names.get(step)
  if (there === undefined) return false
  return typeof there === 'string' || rest.length === 0 || isGiven(there, rest)
}

function groupAt(group: Group, step: string): Group {
  const inner = emptyGroup()
  group.names.set(step, inner)
  return inner
}

/** A name that is given again is a list of what is given. */
function listAt(group: Group, step: string): Group {
  const there = group.names.get(step)
  if (there !== undefined && typeof there !== 'string') return there
  const list: Group = { names: new Map(), items: there === undefined ? [] : [there] }
  group.names.set(step, list)
  return list
}

function fieldsOf({ names }: Group, prefix: string): Fields {
  const fields = emptyFields()
  for (const [name, slot] of names) fields[name] = fieldOf(slot, `${prefix}${name}`)
  return fields
}

function fieldOf(slot: Slot, name: string): unknown {
  if (typeof slot === 'string') return slot
  const { names, items } = slot
  if (![...names.keys()].every((key) => INDEX.test(key))) {
    if (items.length > 0) throw givenTwice(name)
    return fieldsOf(slot, `${name}.`)
  }
  const placed = [...names].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, item]) => item)
  return [...placed, ...items].map((item, index) => fieldOf(item, `${name}.${index}`))
}

function givenTwice(name: string): ApiError {
  const message = 'is given twice'
  return new ApiError('request.bad-format', { message: `${name} ${message}.`, invalidFields: [{ name, message }] })
}
