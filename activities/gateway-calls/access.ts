import { notSent, type Outcome } from '../../domain/operation.ts'
import type { GatewayAccess } from '../../src/gateways/gateway.ts'
import type { GatewayConfigurationRow } from '../../src/persistence/entities/gateway-configuration.ts'
import type { Vault } from '../../src/vault/vault.ts'

/** What opens the credentials of an account. */
export interface AccessDeps {
  vault: Pick<Vault, 'openCredentials'>
}

/**
 * The merchant's account that an attempt goes to, its credentials in the clear: opened for one call, kept nowhere.
 *
 * @throws VaultError where they cannot be opened; nothing has been sent then.
 */
export function accessOf(
  { vault }: AccessDeps,
  { configuration }: { configuration: GatewayConfigurationRow },
): GatewayAccess {
  return {
    gatewayConfigurationId: configuration.id,
    credentials: vault.openCredentials(configuration),
    settings: configuration.settings,
  }
}

/** What a call has come to whose account could not be opened. It passes when whoever runs the service puts the keys right. */
export const NOT_OPENED: Outcome = notSent('CREDENTIALS_NOT_OPENED')
