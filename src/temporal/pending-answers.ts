import type { CommandAnswer } from '../../domain/command.ts'

/**
 * The requests of this process that wait for an answer, by operation id. Where API and worker share the process, an
 * activity hands its answer over here as soon as PostgreSQL has it, before Temporal hears of it; where they do not,
 * nobody waits here and the answer travels as the result of an update.
 */
export interface PendingAnswers {
  /** Waits until somebody answers; call `forget` when the wait is over, answered or not. */
  expect(operationId: string): { answer: Promise<CommandAnswer>; forget(): void }
  /** Does nothing where nobody waits. */
  answer(operationId: string, answer: CommandAnswer): void
}

export function createPendingAnswers(): PendingAnswers {
  const waiting = new Map<string, (answer: CommandAnswer) => void>()
  return {
    expect(operationId) {
      const { promise, resolve } = Promise.withResolvers<CommandAnswer>()
      waiting.set(operationId, resolve)
      return { answer: promise, forget: () => void waiting.delete(operationId) }
    },
    answer(operationId, answer) {
      waiting.get(operationId)?.(answer)
    },
  }
}
