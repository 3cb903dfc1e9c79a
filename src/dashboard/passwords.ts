import { ApiError } from '../http/api-error.ts'
import { createKeyedSemaphore } from '../keyed-semaphore.ts'
import { hashPassword, isPassword } from '../vault/password.ts'

/**
 * Who has a password hashed: a browser that has signed in to the account before, one with a one-time link, or anybody else.
 * Each has a place of its own, so that a flood of strangers keeps nobody else waiting.
 */
export type Place = 'known browser' | 'new account' | 'stranger'

/**
 * Each hash takes 30 ms of one of the four threads that the process has for files and name look-ups as well, so one at a
 * place leaves a thread.
 */
const AT_ONCE = 1

/** Longer than the few others that the limits of a place let in. */
const WAIT_MS = 5_000

export interface Passwords {
  hash(password: string, place: Place): Promise<string>
  /** @param stored null for an unknown account, for which it takes as long. */
  matches(password: string, stored: string | null, place: Place): Promise<boolean>
}

/** Hashes and compares passwords, few at once. */
export function createPasswords(): Passwords {
  const semaphore = createKeyedSemaphore({ permits: AT_ONCE, waitMs: WAIT_MS })
  const inTurn = async <Result>(place: Place, work: () => Promise<Result>): Promise<Result> => {
    const release = await semaphore.acquire(place)
    if (release === null) throw new ApiError('server.unavailable')
    try {
      return await work()
    } finally {
      release()
    }
  }
  return {
    hash: (password, place) => inTurn(place, () => hashPassword(password)),
    matches: (password, stored, place) => inTurn(place, () => isPassword(password, stored)),
  }
}
