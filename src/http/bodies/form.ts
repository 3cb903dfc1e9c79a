import { ApiError } from '../api-error.ts'
import { type BodyLimits, emptyFields, type Fields, isFields, refuseBeyond, tooDeep, tooManyEntries } from './fields.ts'
import { nestDottedNames, stepsOf } from './names.ts'

/** `curl -d '{…}'` sends JSON with a form's content type. No field name begins so. */
const JSON_TEXT = /^\s*[{[]/

const JSON_AS_FORM =
  'The body looks like JSON, but its Content-Type is application/x-www-form-urlencoded. Send Content-Type: application/json.'

/** A list, and a name in its next item: `details[][name]`. */
const NAME_IN_ITEM = /^(.+?)\[\](.+)$/

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
  // Counted before decoding, which takes far longer.
  if (text.split('&', limits.entries + 1).length > limits.entries) throw tooManyEntries(limits)
  const fields = nestDottedNames(valuesByName(text, limits))
  refuseBeyond(fields, limits)
  return withLists(fields)
}

/** A text, or a list of texts where the name is repeated or ends in `[]`. */
function valuesByName(text: string, limits: BodyLimits): Fields {
  const values = emptyFields()
  const items = new Map<string, Item>()
  for (const [written, value] of new URLSearchParams(text)) {
    const steps = stepsOf(written).length
    if (steps > limits.depth) throw tooDeep(limits)
    const placed = steps === 1 ? written : withPlaces(written, items)
    const name = placed.replace(/(?<=.)\[\]$/, '')
    const there = values[name]
    if (Array.isArray(there)) there.push(value)
    else if (there !== undefined) values[name] = [there, value]
    else values[name] = name === placed ? value : [value]
  }
  return values
}

/** The last item of a list, and the names that it has. */
interface Item {
  place: number
  names: Set<string>
}

/** Writes `details[][name]` with a place. */
function withPlaces(name: string, items: Map<string, Item>): string {
  const [, list, inItem] = NAME_IN_ITEM.exec(name) ?? []
  if (list === undefined || inItem === undefined) return name
  const last = items.get(list) ?? { place: 0, names: new Set() }
  const isGiven = last.names.has(inItem) && !inItem.includes('[]')
  const item = isGiven ? { place: last.place + 1, names: new Set<string>() } : last
  item.names.add(inItem)
  items.set(list, item)
  return withPlaces(`${list}[${item.place}]${inItem}`, items)
}

/** Turns the objects whose names are all places into lists. */
function withLists(fields: Fields): Fields {
  for (const [name, value] of Object.entries(fields)) fields[name] = listIn(value)
  return fields
}

function listIn(value: unknown): unknown {
  if (!isFields(value)) return value
  const fields = withLists(value)
  return Object.keys(fields).every((name) => PLACE.test(name)) ? Object.values(fields) : fields
}
