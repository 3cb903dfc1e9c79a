import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** The circuit of a gateway configuration in one process, as of its last change. */
export const GatewayCircuitEntity = defineEntity({
  name: 'GatewayCircuit',
  tableName: 'gateway_circuit',
  properties: {
    gatewayConfigurationId: p.string().primary(),
    /** The process, described for people. */
    process: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    state: p.string().$type<'closed' | 'open' | 'half-open'>(),
    reason: p.string(),
    changedAt: p.datetime(3),
  },
})

export type GatewayCircuitRow = InferEntity<typeof GatewayCircuitEntity>
