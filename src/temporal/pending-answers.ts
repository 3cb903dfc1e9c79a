import type { CommandAnswered, PendingAnswers } from '../../activities/dependencies.ts'

/** The waiting requests of this process. */
export function createPendingAnswers<Rows>(): PendingAnswers<Rows> {
  const waiting = new Map<string, (answered: CommandAnswered<Rows>) => void>()
  return {
    expect(operationId) {
      const { promise, resolve } = Promise.withResolvers<CommandAnswered<Rows>>()
      waiting.set(operationId, resolve)
      return { answer: promise, forget: () => void waiting.delete(operationId) }
    },
    answer(operationId, answer, rows) {
      waiting.get(operationId)?.({ answer, rows })
    },
  }
}
