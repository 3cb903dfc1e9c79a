import { createHash } from 'node:crypto'
import type { RandomBytes } from '../../domain/identifiers.ts'

/** Bytes that look random and are the same for the same seed; an id in a failing test is the same the next time. */
export function seededRandomBytes(seed: string): RandomBytes {
  let counter = 0
  return (count) => {
    const blocks: Buffer[] = []
    for (let length = 0; length < count; length += 32) {
      blocks.push(createHash('sha256').update(`${seed} ${counter++}`).digest())
    }
    return Buffer.concat(blocks).subarray(0, count)
  }
}
