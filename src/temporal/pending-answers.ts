import type { Answered, PendingAnswers } from '../../activities/dependencies.ts'

/** The waiting requests of this process. */
export function createPendingAnswers<Told>(): PendingAnswers<Told> {
  const waiting = new Map<string, (answered: Answered<Told>) => void>()
  return {
    expect(operationId) {
      const { promise, resolve } = Promise.withResolvers<Answered<Told>>()
      waiting.set(operationId, resolve)
      return { answer: promise, forget: () => void waiting.delete(operationId) }
    },
    answer(operationId, answer, told) {
      waiting.get(operationId)?.({ answer, told })
    },
  }
}
