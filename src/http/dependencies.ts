import type { RandomBytes } from '../../domain/identifiers.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Orm } from '../persistence/orm.ts'
import type { PaymentClient } from '../temporal/client.ts'
import type { Vault } from '../vault/vault.ts'

/** What the issuer's tables tell of a card. */
export interface CardDescription {
  scheme: string
  coScheme: string | null
  countryCode: string | null
  type: string
}

/** Everything that the interface works with. */
export interface AppDeps {
  orm: Orm
  payments: PaymentClient
  vault: Vault
  clock: Clock
  randomBytes: RandomBytes
  logger: Logger
  /** Describes a card that the sandbox accepts; null for every other number. */
  describeTestCard(number: string): CardDescription | null
  /** Whether the servers behind the interface answer. */
  isReady(): Promise<{ database: boolean; temporal: boolean }>
}
