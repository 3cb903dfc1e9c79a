import { type Dialect, type Fields, LibraryDies } from './library.ts'

/** Ruby: every option of lists and headers goes with every call, empty where it is not set; null is as good as absent. */
export const RUBY: Dialect = {
  language: 'Ruby',
  agent: 'ProcessOut Ruby-Bindings/6.0.0',
  headers: { 'idempotency-key': '', 'disable-logging': '' },
  without: [],
  encode(method, fields, { expand = [], filter = '', limit = '' }) {
    const all: Fields = { ...fields, expand, filter, limit, end_before: '', start_after: '' }
    if (method === 'POST' || method === 'PUT') return { query: '', body: JSON.stringify(all) }
    const query = Object.entries(all).flatMap(([name, value]) =>
      value === null ? [name] : [value].flat().map((item) => `${name}=${encodeURIComponent(String(item))}`),
    )
    return { query: `?${query.join('&')}`, body: null }
  },
  decode(body, name, mayAsk) {
    const action = mayAsk ? (body.customer_action ?? undefined) : undefined
    const object = (body[name] ?? {}) as Fields
    return action === undefined ? object : { ...object, customerAction: action }
  },
  decodeList(body, name) {
    const list = body[name]
    if (!Array.isArray(list)) throw new LibraryDies(`${name} has no each.`)
    return list
  },
}
