import type { Middleware } from 'koa'
import type { RandomBytes } from '../../domain/identifiers.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { Clock } from '../clock.ts'
import type { ConnectionTest } from '../gateways/connection-test.ts'
import type { Logger } from '../logger.ts'
import type { SimulatedBank } from '../pages/simulated-bank-route.ts'
import type { GatewayConfigurationRow } from '../persistence/entities/gateway-configuration.ts'
import type { Orm } from '../persistence/orm.ts'
import type { AnswerRows } from '../persistence/queries/payments/find-payment.ts'
import type { PaymentClient, PaymentResyncer } from '../temporal/client.ts'
import type { TestClock } from '../temporal/test-clock.ts'
import type { Credentials, Vault } from '../vault/vault.ts'
import type { Waits } from '../waits.ts'
import type { ApiState } from './context.ts'
import type { ClientFile } from './files/client-files.ts'
import type { RequestLog } from './request-log/request-log.ts'

/** The issuer's data of a card. */
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
  testClock: TestClock
  /** Starts the deliveries of events after the commit; waits for nothing and never throws. */
  announce(events: readonly FiredEvent[]): void
  /**
   * The credentials that verify an account's notifications.
   *
   * @throws VaultError where its credentials cannot be decrypted.
   */
  notificationCredentials(configuration: GatewayConfigurationRow): Credentials
  /** Asks a gateway whether it knows an account; null where it has no such question. Never throws. */
  testConnection(configuration: GatewayConfigurationRow, signal: AbortSignal): Promise<ConnectionTest | null>
  vault: Vault
  clock: Clock
  randomBytes: RandomBytes
  logger: Logger
  waits: Pick<
    Waits,
    'turnMs' | 'beginningMs' | 'idempotencyMs' | 'testClockMs' | 'filterMs' | 'dryRunMs' | 'connectionTestMs'
  >
  requestLog: RequestLog
  /** Measures requests; absent where metrics are off. */
  measure?: Middleware<ApiState> | undefined
  /** Makes a trace of requests; absent where traces are off. */
  trace?: Middleware<ApiState> | undefined
  /** True allows webhooks to this machine and its network: only with embedded servers. */
  allowPrivateWebhookTargets: boolean
  /** The address by which browsers reach the API, where that differs from what they send as `Host`; without a slash. */
  publicUrl?: string | undefined
  /** The pages of the dashboard; by default those that were built. */
  dashboardFiles?: () => ReadonlyMap<string, ClientFile>
  /** The address of Temporal's UI; absent where it is not known. */
  temporalUiUrl?: string | undefined
  /** The secret key of a project that this process has made for the developer of the machine; null for all others. */
  sandboxKey?: (projectId: string) => string | null
  /** Whether callers reach the API by https; false by default. */
  isReachedByHttps?: boolean
  /** How many proxies are in front, each of which adds an address to `X-Forwarded-For`; 0 by default. */
  trustedProxies?: number
  /** The data of a sandbox test card; null for any other number. */
  describeTestCard(number: string): CardDescription | null
  /** The common data of the test cards with these first digits; null without any. */
  describeTestIin(iin: string): CardDescription | null
  /** The bank to which the simulator sends customers. */
  simulatedBank: SimulatedBank
  /** Whether database and Temporal answer. */
  isReady(): Promise<{ database: boolean; temporal: boolean }>
  /** False where the process is to get no new work: it is starting, or about to end. True by default. */
  isServing?: () => boolean
}
