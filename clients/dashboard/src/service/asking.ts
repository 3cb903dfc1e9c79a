/** Asking the service outside of a project: one thing at a time, with what it has refused. */
import { useState } from 'react'
import { ApiError } from './api.ts'

export interface Asking {
  busy: boolean
  error: ApiError | null
  /** Whether it was done; where it was not, `error` says why. */
  run(work: () => Promise<unknown>): Promise<boolean>
  /** Takes back what was refused: something newer is told in its place. */
  forget(): void
}

export function useAsking(): Asking {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  async function run(work: () => Promise<unknown>) {
    setBusy(true)
    setError(null)
    try {
      await work()
      return true
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      setError(failure)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, run, forget: () => setError(null) }
}
