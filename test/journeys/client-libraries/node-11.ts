import type { Dialect, Fields, Options } from './library.ts'
import { LibraryDies } from './library.ts'

/** Node: whatever stands under a known name is read as an object, outside of any promise of the merchant's. */
export const NODE: Dialect = {
  language: 'Node',
  agent: 'ProcessOut NodeJS-Bindings/8.0.0',
  without: [],
  encode(method, fields, options) {
    const all = { ...fields, ...listParameters(options) }
    if (method === 'POST' || method === 'PUT') return { query: '', body: JSON.stringify(all) }
    const written = Object.entries(all).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    return { query: written.length === 0 ? '' : `?${written.join('&')}`, body: null }
  },
  decode(body, name, mayAsk) {
    const object = objectIn(body, name)
    const action = mayAsk ? objectIn(body, 'customer_action') : undefined
    if (action === undefined) return object
    if (object === undefined) throw new LibraryDies(`There is an action and no ${name} that it belongs to.`)
    return { ...object, customerAction: action }
  },
  decodeList(body, name) {
    const list = body[name]
    if (!Array.isArray(list)) throw new LibraryDies(`${name} has no length.`)
    // It is read from its end.
    return list.toReversed()
  },
}

/** Under the names that the merchant has set; a list becomes its items with commas. */
function listParameters({ expand, filter, limit }: Options): Fields {
  return Object.fromEntries(Object.entries({ expand, filter, limit }).filter(([, value]) => value !== undefined))
}

function objectIn(body: Fields, name: string): Fields | undefined {
  const value = body[name]
  if (value === null) throw new LibraryDies(`${name} is null, and its first field is read.`)
  return value as Fields | undefined
}
