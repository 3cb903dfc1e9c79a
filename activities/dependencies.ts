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

/** Dependencies of the payment activities. */
export interface PaymentActivityDeps {
  orm: Orm
  gateways: GatewayRegistry
  ruleBook: RuleBook
  vault: Vault
  pendingAnswers: PendingAnswers<AnswerRows>
  webhookStarter: WebhookStarter
  /** Reports problems to staff. */
  logger: Pick<Logger, 'error'>
  clock: Clock
  randomBytes: RandomBytes
  /** The address by which browsers reach this service, without a slash at its end; null if it is not known. */
  publicUrl(): string | null
}

/** Starts the workflows that deliver events; `src/temporal` implements it. */
export interface WebhookStarter {
  /**
   * Starts the webhook workflow of an event; does nothing if it was started before, even if it has ended.
   * An event whose targets are all failing endpoints has low priority.
   *
   * @param again starts another run if the last one has ended, for a delivery that was left unfinished.
   */
  start(event: FiredEvent, again?: 'again'): Promise<void>
}

/** The answer to a command, with its rows if they are known. */
export interface CommandAnswered<Rows> {
  answer: CommandAnswer
  /** The rows after the command; null if the caller must read them. */
  rows: Rows | null
}

/**
 * The requests of this process that wait for an answer, by operation id; `src/temporal` implements it. If API and worker
 * share a process, an activity answers the request here right after the commit, before Temporal has the result. Otherwise
 * no request waits here, and the answer is the result of the Temporal update.
 */
export interface PendingAnswers<Rows> {
  /** Waits for the answer. Call `forget` when the wait is over, answered or not. */
  expect(operationId: string): { answer: Promise<CommandAnswered<Rows>>; forget(): void }
  /** Does nothing without a waiting request. */
  answer(operationId: string, answer: CommandAnswer, rows: Rows | null): void
}
