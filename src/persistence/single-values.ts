/** One value of a column. */
function isSingle(value: unknown): boolean {
  if (value instanceof Date || value instanceof Uint8Array) return true
  return value === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
}

/**
 * Refuses values of a statement that PostgreSQL would not take as one: a list becomes several values, an object a text that
 * nobody meant, and undefined none. They come from outside, past a schema.
 *
 * @param lists the places, from 1, at which the statement takes a list.
 * @throws TypeError
 */
export function requireSingle(sql: string, values: readonly unknown[], lists: ReadonlySet<number> = new Set()): void {
  for (const [index, value] of values.entries()) {
    const isMeant = lists.has(index + 1) && Array.isArray(value) ? value.every(isSingle) : isSingle(value)
    if (!isMeant) throw new TypeError(`Value ${index + 1} of the statement is no single value: ${sql}`)
  }
}
