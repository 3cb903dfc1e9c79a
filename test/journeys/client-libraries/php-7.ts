import { type Dialect, type Fields, LibraryDies } from './library.ts'

/** PHP: an empty object is written as an empty list, and null is left out of queries. */
export const PHP: Dialect = {
  language: 'PHP',
  agent: 'ProcessOut PHP-Bindings/7.4.0',
  without: ['submerchant_id', 'provision_network_token', 'invoice_line_items', 'transaction_link_id'],
  encode(method, fields, options) {
    const given = Object.entries(options).filter(([name, value]) => name !== 'idempotencyKey' && value)
    const all: Fields = { ...fields, ...Object.fromEntries(given) }
    if (method === 'POST' || method === 'PUT') return { query: '', body: JSON.stringify(all, emptyAsList) }
    const query = Object.entries(all).flatMap(([name, value]) => {
      if (value === null) return []
      const written = Array.isArray(value) ? value.map((item) => [`${name}[]`, item]) : [[name, value]]
      return written.map(([key, item]) => `${key}=${encodeURIComponent(String(item))}`)
    })
    return { query: `?${query.join('&')}`, body: null }
  },
  decode(body, name, mayAsk) {
    const object = body[name] ?? undefined
    if (object === undefined) throw new LibraryDies(`There is no ${name}: undefined array key 0.`)
    const action = mayAsk ? (body.customer_action ?? undefined) : undefined
    return action === undefined ? object : { ...object, customerAction: action }
  },
  decodeList(body, name) {
    const list = body[name]
    if (!Array.isArray(list)) throw new LibraryDies(`${name} cannot be iterated.`)
    return list
  },
}

function emptyAsList(_: string, value: unknown): unknown {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return isEmpty ? [] : value
}
