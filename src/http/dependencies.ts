import type { RandomBytes } from '../../domain/identifiers.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { GatewayConfigurationRow } from '../persistence/entities/gateway-configuration.ts'
import type { Orm } from '../persistence/orm.ts'
import type { AnswerRows } from '../persistence/queries/payments/find-payment.ts'
import type { PaymentClient, PaymentResyncer } from '../temporal/client.ts'
import type { Credentials, Vault } from '../vault/vault.ts'
import type { RequestLog } from './request-log/request-log.ts'

/** What the issuer's tables tell of a card. */
export interface CardDescription {
  scheme: string
  coScheme: string | null
  countryCode: string | null
  type: string
}

export interface AppDeps {
  orm: Orm
  payments: PaymentClient<AnswerRows>
  resyncer: PaymentResyncer
  /** Has events sent to whom they are for; called after the commit, waits for nothing and never throws. */
  announce(events: readonly FiredEvent[]): void
  /**
   * What the notifications of an account are proven with.
   *
   * @throws VaultError where its credentials cannot be opened.
   */
  notificationCredentials(configuration: GatewayConfigurationRow): Credentials
  vault: Vault
  clock: Clock
  randomBytes: RandomBytes
  logger: Logger
  requestLog: RequestLog
  /** Whether webhooks may go to this machine and its network: only where everything is embedded. */
  allowPrivateWebhookTargets: boolean
  /** Whether callers reach the interface by https; default: they do not. */
  isReachedByHttps?: boolean
  /** How many proxies stand in front, each of which adds the address it was asked from to `X-Forwarded-For`; default: 0. */
  trustedProxies?: number
  /** Describes a card that the sandbox accepts; null for every other number. */
  describeTestCard(number: string): CardDescription | null
  /** Describes what the test cards with these first digits have in common; null where there are none. */
  describeTestIin(iin: string): CardDescription | null
  /** Whether the servers behind the interface answer. */
  isReady(): Promise<{ database: boolean; temporal: boolean }>
}
