import type { CommandAnswer } from '../../domain/command.ts'

/** The answer to a command, with what it tells of where that came with it. */
export interface Answered<Told> {
  answer: CommandAnswer
  /** The rows as they are after the command; null where the caller is to read them. */
  told: Told | null
}

/**
 * The requests of this process that wait for an answer, by operation id. Where API and worker share the process, an
 * activity hands its answer over here as soon as PostgreSQL has it, before Temporal hears of it; where they do not,
 * nobody waits here and the answer travels as the result of an update.
 */
export interface PendingAnswers<Told> {
  /** Waits until somebody answers; call `forget` when the wait is over, answered or not. */
  expect(operationId: string): { answer: Promise<Answered<Told>>; forget(): void }
  /** Does nothing where nobody waits. */
  answer(operationId: string, answer: CommandAnswer, told: Told | null): void
}

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
