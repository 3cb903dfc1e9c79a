import type { CommandAnswered, PendingAnswers } from '../../activities/dependencies.ts'

/** The waiting requests of this process. */
export function createPendingAnswers<Told>(): PendingAnswers<Told> {
  const waiting = new Map<string, (answered: CommandAnswered<Told>) => void>()
  return {
    expect(operationId) {
      const { promise, resolve } = Promise.withResolvers<CommandAnswered<Told>>()
      waiting.set(operationId, resolve)
      return { answer: promise, forget: () => void waiting.delete(operationId) }
    },
    answer(operationId, answer, rows) {
      waiting.get(operationId)?.({ answer, rows })
    },
  }
}
