/** Asking the service to do something: once at a time, and never twice for one wish. */
import { useCallback, useRef, useState } from 'react'
import { ApiError, type Method, newIdempotencyKey } from './api.ts'
import { useProject } from './session.tsx'

export interface Act<Answer> {
  busy: boolean
  error: ApiError | null
  /** Gives the answer; undefined where there is an error, which is then in `error`, and while another call is under way. */
  run(method: Exclude<Method, 'GET'>, address: string, body?: unknown): Promise<Answer | undefined>
}

/**
 * The same wish, repeated after an answer that was lost, goes with the same key, so that it is carried out once. After an
 * answer, and with another body, it is another wish.
 */
export function useAct<Answer>(): Act<Answer> {
  const { api } = useProject()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const running = useRef(false)
  const wish = useRef<{ text: string; key: string } | null>(null)

  const run = useCallback(
    async (method: Exclude<Method, 'GET'>, address: string, body?: unknown) => {
      if (running.current) return undefined
      running.current = true
      setBusy(true)
      setError(null)
      const text = JSON.stringify([method, address, body])
      if (wish.current?.text !== text) wish.current = { text, key: newIdempotencyKey() }
      try {
        const answer = await api.send<Answer>(method, address, { body, idempotencyKey: wish.current.key })
        wish.current = null
        return answer
      } catch (failure) {
        if (!(failure instanceof ApiError)) throw failure
        if (failure.isDecided) wish.current = null
        setError(failure)
        return undefined
      } finally {
        running.current = false
        setBusy(false)
      }
    },
    [api],
  )
  return { busy, error, run }
}
