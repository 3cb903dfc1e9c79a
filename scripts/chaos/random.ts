import { chance } from '../../test/support/chance.ts'

/** Numbers from 0 to 1 that are the same for the same seed. */
export type Random = () => number

/** @param use keeps the sequences of one seed apart: what is killed does not depend on how much was asked for. */
export function seededRandom(seed: number, use: string): Random {
  let state = [...use].reduce((sum, character) => Math.imul(sum, 31) + character.charCodeAt(0), seed)
  return () => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223
    return chance(state)
  }
}

/** One of them, all equally likely. */
export function pick<T>(random: Random, choices: readonly T[]): T {
  if (choices.length === 0) throw new Error('There is nothing to choose from.')
  return choices[Math.floor(random() * choices.length)] as T
}
