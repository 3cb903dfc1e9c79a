import type { CommandAnswer } from '../domain/command.ts'
import type { RandomBytes } from '../domain/identifiers.ts'
import type { FiredEvent } from '../domain/webhook-event.ts'
import type { Clock } from '../src/clock.ts'
import type { GatewayRegistry } from '../src/gateways/registry.ts'
import type { Logger } from '../src/logger.ts'
import type { Orm } from '../src/persistence/orm.ts'
import type { AnswerRows } from '../src/persistence/queries/payments/find-payment.ts'
import type { RuleBook } from '../src/routing/rule-book.ts'
import type { Vault } from '../src/vault/vault.ts'

/** What the activities of payments work with. */
export interface PaymentActivityDeps {
  orm: Orm
  gateways: GatewayRegistry
  ruleBook: RuleBook
  vault: Vault
  pendingAnswers: PendingAnswers<AnswerRows>
  webhookStarter: WebhookStarter
  /** Reports what staff have to know beside the record. */
  logger: Pick<Logger, 'error'>
  clock: Clock
  randomBytes: RandomBytes
}

/** Starts the workflows that deliver events; `src/temporal` implements it. */
export interface WebhookStarter {
  /**
   * Starts the webhook workflow of an event. Started before, it is left alone, whether it still runs or not.
   * An event that only failing endpoints are to receive has low priority.
   *
   * @param again starts another run where the last one is closed: for a delivery that nobody goes on with.
   */
  start(event: FiredEvent, again?: 'again'): Promise<void>
}

/** The answer to a command, with the rows that it reports where they came with it. */
export interface CommandAnswered<Rows> {
  answer: CommandAnswer
  /** The rows as they are after the command; null where the caller is to read them. */
  rows: Rows | null
}

/**
 * The requests of this process that wait for an answer, by operation id; `src/temporal` implements it. Where API and worker
 * share the process, an activity hands its answer over here as soon as PostgreSQL has it, before Temporal hears of it; where
 * they do not, nobody waits here and the answer travels as the result of an update.
 */
export interface PendingAnswers<Rows> {
  /** Waits until somebody answers; call `forget` when the wait is over, answered or not. */
  expect(operationId: string): { answer: Promise<CommandAnswered<Rows>>; forget(): void }
  /** Does nothing where nobody waits. */
  answer(operationId: string, answer: CommandAnswer, rows: Rows | null): void
}
