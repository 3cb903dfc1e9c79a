import type { RandomBytes } from '../domain/identifiers.ts'
import type { Clock } from '../src/clock.ts'
import type { GatewayRegistry } from '../src/gateways/registry.ts'
import type { Logger } from '../src/logger.ts'
import type { Orm } from '../src/persistence/orm.ts'
import type { ToldRows } from '../src/persistence/queries/payments/told-rows.ts'
import type { RuleBook } from '../src/routing/rule-book.ts'
import type { PendingAnswers } from '../src/temporal/pending-answers.ts'
import type { WebhookStarter } from '../src/temporal/webhook-starter.ts'
import type { Vault } from '../src/vault/vault.ts'

/** What the activities of payments work with. */
export interface PaymentActivityDeps {
  orm: Orm
  gateways: GatewayRegistry
  ruleBook: RuleBook
  vault: Vault
  pendingAnswers: PendingAnswers<ToldRows>
  webhookStarter: WebhookStarter
  /** Is told of what staff have to know beside the record. */
  logger: Pick<Logger, 'error'>
  clock: Clock
  randomBytes: RandomBytes
}
