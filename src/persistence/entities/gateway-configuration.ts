import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

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
    defaultPreferredScheme: p.string().nullable(),
    createdAt: p.datetime(3),
  },
})

export type GatewayConfigurationRow = InferEntity<typeof GatewayConfigurationEntity>
