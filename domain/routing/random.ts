/**
 * Repeatable pseudo-random numbers that depend only on ids. A replayed workflow, another process and an explanation a year
 * later get the same draw.
 *
 * Texts are hashed by FNV-1a, whose low bits are good and whose high bits are not. The finalizer of MurmurHash3 then makes
 * every bit depend on every other. It is one-to-one, so for one rule all values are equally likely. Rules have different
 * seeds, so their draws are independent.
 * Source: the reference codes of FNV-1a and MurmurHash3 (fmix32), both in the public domain.
 */

/** Read once: in a sandbox such as that of workflows, every access to a global is a call. */
const { imul, floor } = Math

const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** One more than the largest draw. */
const DRAWS = 2 ** 32

/** Part of the seed, so that a rule's split is independent of its `rand()`. */
export type Purpose = 'rand' | 'split'

export function hashText(text: string): number {
  let hash = FNV_OFFSET
  for (let index = 0; index < text.length; index += 1) {
    hash = imul(hash ^ text.charCodeAt(index), FNV_PRIME)
  }
  return mix(hash)
}

/** The seed of a rule's draws, computed once when the rule is compiled. */
export function ruleSeed(ruleId: string, purpose: Purpose): number {
  return hashText(`${purpose}/${ruleId}`)
}

/**
 * A draw from 0 to 2^32 - 1.
 *
 * @param transaction the hash of the transaction's id
 * @param round the ordinal of the draw for one rule and payment
 */
function draw(transaction: number, seed: number, round = 0): number {
  return mix(mix(transaction ^ seed) + imul(round, 0x9e3779b9))
}

/** A draw from 0 (included) to 1 (excluded). */
export function fraction(transaction: number, seed: number): number {
  return draw(transaction, seed) / DRAWS
}

/** A draw from 0 (included) to `total` (excluded), an integer below 2^21. */
export function drawBelow(total: number, transaction: number, seed: number, round: number): number {
  return floor((draw(transaction, seed, round) * total) / DRAWS)
}

function mix(value: number): number {
  let mixed = value | 0
  mixed = imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
