import type { GatewayConfigurationRow } from '../persistence/entities/gateway-configuration.ts'
import { presentTimestamp } from './timestamp.ts'

/** A merchant's account at one gateway. What it is opened with is secret and part of no answer. */
export function presentGatewayConfiguration(row: GatewayConfigurationRow) {
  return {
    id: row.id,
    project_id: row.projectId,
    gateway_name: row.gatewayName,
    name: row.name,
    enabled: row.enabled,
    default_preferred_scheme: row.defaultPreferredScheme ?? null,
    public_keys: {},
    metadata: {},
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
    ...ABSENT,
  }
}

/** Fields of the interface that nothing fills in this version. */
const ABSENT = {
  enabled_at: null,
  default_currency: null,
  processing_region: null,
  merchant_account_country_code: null,
  sub_accounts_enabled: null,
} as const
