import { ApiError } from '../api-error.ts'
import {
  type BodyLimits,
  emptyFields,
  type Fields,
  givenTwice,
  refuseTooManyNames,
  tooDeep,
  tooManyEntries,
} from './fields.ts'
import { type FormStep, formPathOf } from './names.ts'

type Slot = string | Group

/** How many fields and items the form may still have. */
interface Room {
  left: number
  limits: BodyLimits
}

interface Group {
  room: Room
  names: Fields
  /** Whether all names are positions in a list. */
  hasPlacesOnly: boolean
  /** Items added with `[]`, or by repeating the field. */
  items: Slot[] | null
}

/** `curl -d '{…}'` sends JSON with a form's content type. No field name begins so. */
const JSON_TEXT = /^\s*[{[]/

const JSON_AS_FORM =
  'The body looks like JSON, and its Content-Type is application/x-www-form-urlencoded. Send Content-Type: application/json with it.'

/** A position in a list. */
const PLACE = /^\d{1,6}$/

/**
 * Parses a form. `device.channel` and `device[channel]` are the same field. A list is written as `ids[]=a&ids[]=b`,
 * `ids[0]=a&ids[1]=b` or `ids=a&ids=b`. In a list of objects, `details[][name]` begins the next object if the last one has
 * a name already.
 *
 * @throws ApiError beyond the limits, and where two names contradict each other.
 */
export function readForm(text: string, limits: BodyLimits): Fields {
  if (JSON_TEXT.test(text)) throw new ApiError('request.bad-format', JSON_AS_FORM)
  const root = emptyGroup({ left: limits.entries, limits })
  // Counted before decoding, which takes far longer.
  if (text.split('&', limits.entries + 1).length > limits.entries) throw tooManyEntries(limits)
  for (const [name, value] of new URLSearchParams(text)) {
    const path = formPathOf(name)
    if (path.length > limits.depth) throw tooDeep(limits)
    put(root, path, value)
  }
  return refuseTooManyNames(fieldsOf(root, ''))
}

const emptyGroup = (room: Room): Group => ({ room, names: emptyFields(), hasPlacesOnly: true, items: null })

function takeRoom({ room }: Group): void {
  room.left -= 1
  if (room.left < 0) throw tooManyEntries(room.limits)
}

const slotAt = (group: Group, step: string) => group.names[step] as Slot | undefined

/** @param at the number of path steps that lead to the group. */
function put(group: Group, path: readonly FormStep[], value: string, at = 0): void {
  const step = path[at] ?? null
  const isLast = at === path.length - 1
  if (step === null) {
    if (isLast) addItem(group, value)
    else put(nextItem(group, path, at + 1), path, value, at + 1)
    return
  }
  const there = slotAt(group, step)
  if (isLast && there === undefined) setName(group, step, value)
  else if (isLast) addItem(listAt(group, step), value)
  else if (typeof there !== 'string') put(there ?? groupAt(group, step), path, value, at + 1)
  else if (path[at + 1] === null) put(listAt(group, step), path, value, at + 1)
  else throw givenTwice(path.join('.'))
}

function setName(group: Group, step: string, slot: Slot): void {
  takeRoom(group)
  group.names[step] = slot
  group.hasPlacesOnly &&= PLACE.test(step)
}

function addItem(group: Group, slot: Slot): void {
  takeRoom(group)
  group.items ??= []
  group.items.push(slot)
}

/** The last object of a list, or a new one if the last one has this name already. */
function nextItem(group: Group, path: readonly FormStep[], at: number): Group {
  const last = group.items?.at(-1)
  if (last !== undefined && typeof last !== 'string' && !isGiven(last, path, at)) return last
  const item = emptyGroup(group.room)
  addItem(group, item)
  return item
}

function isGiven(group: Group, path: readonly FormStep[], at: number): boolean {
  const step = path[at] ?? null
  const there = step === null ? undefined : slotAt(group, step)
  if (there === undefined) return false
  return typeof there === 'string' || at === path.length - 1 || isGiven(there, path, at + 1)
}

function groupAt(group: Group, step: string): Group {
  const inner = emptyGroup(group.room)
  setName(group, step, inner)
  return inner
}

/** A repeated name becomes a list of its values. */
function listAt(group: Group, step: string): Group {
  const there = slotAt(group, step)
  if (there !== undefined && typeof there !== 'string') return there
  const list = groupAt(group, step)
  if (there !== undefined) addItem(list, there)
  return list
}

function fieldsOf({ names }: Group, prefix: string): Fields {
  const fields = emptyFields()
  for (const name of Object.keys(names)) fields[name] = fieldOf(names[name] as Slot, prefix + name)
  return fields
}

function fieldOf(slot: Slot, name: string): unknown {
  if (typeof slot === 'string') return slot
  const { names, items, hasPlacesOnly } = slot
  if (!hasPlacesOnly) {
    if (items !== null) throw givenTwice(name)
    return fieldsOf(slot, `${name}.`)
  }
  const places = Object.keys(names).toSorted((a, b) => Number(a) - Number(b))
  return [...places.map((place) => names[place] as Slot), ...(items ?? [])].map((item, index) =>
    fieldOf(item, `${name}.${index}`),
  )
}
