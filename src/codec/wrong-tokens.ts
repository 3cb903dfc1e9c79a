import type { Clock } from '../clock.ts'

/** Nobody guesses a token of 32 characters; a script that has a wrong one is stopped. */
const WRONG_A_MINUTE = 60

export interface WrongTokens {
  /** Whether an address has given too many within this minute: then no token of it is looked at. */
  areTooMany(address: string): boolean
  count(address: string): void
}

/** Counts the wrong tokens of each address, from the beginning of each minute on. */
export function createWrongTokens(clock: Clock): WrongTokens {
  let minute = 0
  const wrong = new Map<string, number>()
  const ofNow = (address: string): number => {
    const now = Math.floor(clock.now().getTime() / 60_000)
    if (now !== minute) wrong.clear()
    minute = now
    return wrong.get(address) ?? 0
  }
  return {
    areTooMany: (address) => ofNow(address) >= WRONG_A_MINUTE,
    count: (address) => void wrong.set(address, ofNow(address) + 1),
  }
}
