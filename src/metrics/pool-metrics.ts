import type { Pool } from 'pg'
import { Gauge, type Registry } from 'prom-client'

/** The connections of the process to PostgreSQL. */
export function createPoolMetrics(registry: Registry, pool: Pool): void {
  const registers = [registry]
  new Gauge({
    name: 'holdfast_database_connections',
    help: 'Connections of the pool, by state',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
    },
  })
  new Gauge({
    name: 'holdfast_database_connections_max',
    help: 'The largest number of connections of the pool',
    registers,
    collect() {
      this.set(pool.options.max)
    },
  })
  new Gauge({
    name: 'holdfast_database_connections_wanted',
    help: 'How many wait for a connection of the pool',
    registers,
    collect() {
      this.set(pool.waitingCount)
    },
  })
}
