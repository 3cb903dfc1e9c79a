import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** The circuit of an account at a gateway in one process, as it was when it changed last. */
export const GatewayCircuitEntity = defineEntity({
  name: 'GatewayCircuit',
  tableName: 'gateway_circuit',
  properties: {
    gatewayConfigurationId: p.string().primary(),
    /** Which process it is, in words for people. */
    process: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    state: p.string().$type<'closed' | 'open' | 'half-open'>(),
    reason: p.string(),
    changedAt: p.datetime(3),
  },
})

export type GatewayCircuitRow = InferEntity<typeof GatewayCircuitEntity>
