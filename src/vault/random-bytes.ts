import { randomFillSync } from 'node:crypto'
import type { RandomBytes } from '../../domain/identifiers.ts'

/** What is fetched at a time: enough for some eighty ids. */
const POOL_BYTES = 4_096

/**
 * Random bytes of the system's generator, many of which are fetched at a time: asking it takes as long for a few as for
 * thousands, and every request makes several ids. Each byte is given out once, and forgotten here.
 *
 * @throws RangeError where the count is no whole number from 0 on, as Node's own function does.
 */
export function pooledRandomBytes(): RandomBytes {
  const pool = new Uint8Array(POOL_BYTES)
  let given = POOL_BYTES
  return (count) => {
    if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${count} is no number of bytes.`)
    if (count > POOL_BYTES) return randomFillSync(new Uint8Array(count))
    if (given + count > POOL_BYTES) {
      // Nothing of a pool that could not be filled is left to be given out.
      given = POOL_BYTES
      randomFillSync(pool)
      given = 0
    }
    const bytes = pool.slice(given, given + count)
    pool.fill(0, given, given + count)
    given += count
    return bytes
  }
}
