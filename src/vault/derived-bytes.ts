import { createHash } from 'node:crypto'
import type { RandomBytes } from '../../domain/identifiers.ts'

/** Bytes that follow from a text and look like random ones: asked in the same order, the same in every process. */
export function derivedBytes(text: string): RandomBytes {
  let asked = 0
  return (count) => {
    asked += 1
    return createHash('shake256', { outputLength: count }).update(`${text} ${asked}`).digest()
  }
}
