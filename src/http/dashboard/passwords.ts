import { createKeyedSemaphore } from '../../keyed-semaphore.ts'
import { hashPassword, isPassword } from '../../vault/password.ts'
import { ApiError } from '../api-error.ts'

/**
 * Each takes 30 ms of one of the four threads that the process has for files and name look-ups as well, so that a flood of
 * sign-ins must not take them all.
 */
const AT_ONCE = 2

/** Longer than the few others that the limits of sign-in let in. */
const WAIT_MS = 5_000

export interface Passwords {
  hash(password: string): Promise<string>
  /** @param stored null for an unknown account, for which it takes as long. */
  matches(password: string, stored: string | null): Promise<boolean>
}

/** Hashes and compares passwords, few at once. */
export function createPasswords(): Passwords {
  const semaphore = createKeyedSemaphore({ permits: AT_ONCE, waitMs: WAIT_MS })
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const release = await semaphore.acquire('passwords')
    if (release === null) throw new ApiError('server.unavailable')
    try {
      return await work()
    } finally {
      release()
    }
  }
  return {
    hash: (password) => inTurn(() => hashPassword(password)),
    matches: (password, stored) => inTurn(() => isPassword(password, stored)),
  }
}
