import type { Dialect, Fields, Options } from './library.ts'
import { LibraryDies } from './library.ts'

/** Python: null is as good as absent, and where the one object of a call is absent, its first item is missing. */
export const PYTHON: Dialect = {
  language: 'Python',
  agent: 'ProcessOut Python-Bindings/6.18.0',
  without: ['provision_network_token'],
  encode(method, fields, options) {
    const all = { ...fields, ...listParameters(options) }
    if (method === 'POST' || method === 'PUT') return { query: '', body: JSON.stringify(all) }
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(all))
      for (const item of [value].flat()) query.append(name, item === null ? 'None' : String(item))
    return { query: `?${query}`, body: null }
  },
  decode(body, name, mayAsk) {
    const object = body[name] ?? undefined
    if (object === undefined) throw new LibraryDies(`There is no ${name}: list index out of range.`)
    if (typeof object !== 'object') throw new LibraryDies(`${name} has no keys.`)
    const action = mayAsk ? (body.customer_action ?? undefined) : undefined
    return action === undefined ? object : { ...object, customerAction: action }
  },
  decodeList(body, name) {
    const list = body[name]
    if (!Array.isArray(list)) throw new LibraryDies(`${name} cannot be iterated.`)
    return list
  },
}

function listParameters({ expand, filter, limit }: Options): Fields {
  return Object.fromEntries(Object.entries({ expand, filter, limit }).filter(([, value]) => value !== undefined))
}
