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
    /** While it is set, by an operator, no new authorization goes there. */
    drainingSince: p.datetime(3).nullable(),
    defaultPreferredScheme: p.string().nullable(),
    defaultCurrency: p.string().nullable(),
    /** Where the account's payments are processed, in the gateway's own words, such as `EEA`. */
    processingRegion: p.string().nullable(),
    merchantAccountCountryCode: p.string().nullable(),
    /** What this account cannot do although its gateway can. */
    capabilities: p.json<Partial<Capabilities>>().onCreate(() => ({})),
    authorizationValidity: p.json<ValidityRule[]>().onCreate(() => []),
    /** One encrypted document with all of them; the three are null where there are none. */
    credentialsCiphertext: p.blob().nullable(),
    credentialsKeyId: p.string().nullable(),
    /** Tells for the audit log whether they are others, and nothing of them. */
    credentialsHash: p.string().nullable(),
    /** When each was set, in ISO 8601, by its name. */
    credentialsSetAt: p.json<Record<string, string>>().onCreate(() => ({})),
    /** What else the adapter is told; nothing of it is secret. */
    settings: p.json<Record<string, string>>().onCreate(() => ({})),
    /**
     * Counts the changes of what says which account it is; of an attempt with another one a look-up here proves
     * nothing.
     */
    accountVersion: p.integer().default(1),
    metadata: p.json<Record<string, string>>().onCreate(() => ({})),
    /** Since when it is enabled; null while it is not. */
    enabledAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3).defaultRaw('now()'),
    /** A deleted one takes nothing new; it stays for the record, and for what is still to be done there. */
    deletedAt: p.datetime(3).nullable(),
  },
})

export type GatewayConfigurationRow = InferEntity<typeof GatewayConfigurationEntity>
