import { randomFillSync } from 'node:crypto'
import type { RandomBytes } from '../../domain/identifiers.ts'

/** What is fetched at a time: enough for some hundred ids. */
const POOL_BYTES = 4_096

/**
 * Random bytes of the system's generator, many of which are fetched at a time: asking it takes as long for a few as for
 * thousands, and every request makes several ids. Each byte is given out once, and forgotten here.
 */
export function pooledRandomBytes(): RandomBytes {
  const pool = new Uint8Array(POOL_BYTES)
  let given = POOL_BYTES
  return (count) => {
    if (count > POOL_BYTES) return randomFillSync(new Uint8Array(count))
    if (given + count > POOL_BYTES) {
      randomFillSync(pool)
      given = 0
    }
    const bytes = pool.slice(given, given + count)
    pool.fill(0, given, given + count)
    given += count
    return bytes
  }
}
