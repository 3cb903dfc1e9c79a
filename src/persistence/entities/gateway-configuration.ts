import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { ValidityRule } from '../../../domain/authorization-validity.ts'
import type { Capabilities } from '../../../domain/capabilities.ts'

/** A merchant's account at one gateway. */
export const GatewayConfigurationEntity = defineEntity({
  name: 'GatewayConfiguration',
  tableName: 'gateway_configuration',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    gatewayName: p.string(),
    name: p.string(),
    enabled: p.boolean(),
    /** Set by an operator: since then no new authorization goes there. */
    drainingSince: p.datetime(3).nullable(),
    defaultPreferredScheme: p.string().nullable(),
    defaultCurrency: p.string().nullable(),
    /** The region that processes the account's payments, as the gateway calls it, such as `EEA`. */
    processingRegion: p.string().nullable(),
    merchantAccountCountryCode: p.string().nullable(),
    /** The restrictions of this account compared with its gateway. */
    capabilities: p.json<Partial<Capabilities>>().onCreate(() => ({})),
    authorizationValidity: p.json<ValidityRule[]>().onCreate(() => []),
    /** One encrypted document with all credentials; these three columns are null without any. */
    credentialsCiphertext: p.blob().nullable(),
    credentialsKeyId: p.string().nullable(),
    /** Shows changed credentials in the audit log without revealing them. */
    credentialsHash: p.string().nullable(),
    /** When each credential was set, in ISO 8601, by its name. */
    credentialsSetAt: p.json<Record<string, string>>().onCreate(() => ({})),
    /** The adapter's other settings; none is secret. */
    settings: p.json<Record<string, string>>().onCreate(() => ({})),
    /** Counts changes to another account. For an attempt with another version, a look-up here proves nothing. */
    accountVersion: p.integer().default(1),
    metadata: p.json<Record<string, string>>().onCreate(() => ({})),
    /** When it was enabled; null while it is disabled. */
    enabledAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3).defaultRaw('now()'),
    /** A deleted one takes no new payments; the row stays for the record and for its open payments. */
    deletedAt: p.datetime(3).nullable(),
  },
})

export type GatewayConfigurationRow = InferEntity<typeof GatewayConfigurationEntity>
