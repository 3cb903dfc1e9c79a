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
    /** What this account cannot do although its gateway can. */
    capabilities: p.json<Partial<Capabilities>>().onCreate(() => ({})),
    authorizationValidity: p.json<ValidityRule[]>().onCreate(() => []),
    createdAt: p.datetime(3),
  },
})

export type GatewayConfigurationRow = InferEntity<typeof GatewayConfigurationEntity>
