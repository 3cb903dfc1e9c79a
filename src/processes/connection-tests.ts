import { type ConnectionTest, unconnected } from '../gateways/connection-test.ts'
import { createGatewayRegistry, type GatewayRegistry } from '../gateways/registry.ts'
import type { AppDeps } from '../http/dependencies.ts'
import { execute } from '../persistence/statements.ts'
import type { Core } from './core.ts'

/**
 * Tests accounts from the process that a person asks, past the guard of payments: a test that fails opens no circuit. The
 * adapters are loaded by the first one, since this process otherwise makes no calls.
 */
export function createConnectionTests({
  orm,
  vault,
  clock,
  sandboxHosts,
}: Pick<Core, 'orm' | 'vault' | 'clock' | 'sandboxHosts'>): AppDeps['testConnection'] {
  let loading: Promise<GatewayRegistry> | undefined
  const load = async () => {
    const { createAdapters } = await import('./adapters.ts')
    return createGatewayRegistry(
      createAdapters({ execute: (sql, values) => execute(orm, sql, values), clock, sandboxHosts }),
    )
  }
  return async (configuration, signal): Promise<ConnectionTest | null> => {
    loading ??= load()
    const gateways = await loading
    if (!gateways.has(configuration.gatewayName)) return null
    const { testConnection } = gateways.find(configuration.gatewayName)
    if (testConnection === undefined) return null
    try {
      const credentials = vault.decryptCredentials(configuration)
      const { id: gatewayConfigurationId, settings } = configuration
      return await testConnection({ gatewayConfigurationId, credentials, settings }, signal)
    } catch (error) {
      return unconnected('unclear', error instanceof Error ? error.name : 'unknown error')
    }
  }
}
