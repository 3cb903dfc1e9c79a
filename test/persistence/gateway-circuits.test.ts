import { expect, test } from '@jest/globals'
import type { CircuitChange } from '../../src/gateways/guard/circuit.ts'
import { createCircuitRecord } from '../../src/gateways/guard/circuit-record.ts'
import { presentCircuit } from '../../src/objects/gateway-configuration.ts'
import { GatewayCircuitEntity } from '../../src/persistence/entities/gateway-circuit.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { findCircuits, recordCircuit } from '../../src/persistence/queries/projects/circuits.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { createVault } from '../../src/vault/vault.ts'
import { captureLog } from '../support/captured-log.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seededRandomBytes } from '../support/random.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)

const database = databaseForFile()

const makeAccount = async (name: string) => {
  const { projectId } = await createProject(database.orm.em.fork(), {
    name,
    sandbox: true,
    randomBytes: seededRandomBytes(`${database.name} ${name}`),
    hashSecret: createVault(TEST_KEYS).hashSecret,
    now: NOW,
  })
  const { id } = await database.orm.em.fork().findOneOrFail(GatewayConfigurationEntity, { projectId })
  return { scope: { projectId, sandbox: true }, gatewayConfigurationId: id }
}
const recordOf = (process: string) => {
  const log = captureLog()
  const record = (change: CircuitChange) => recordCircuit(database.orm.em.fork(), { ...change, process })
  return { log, ...createCircuitRecord({ logger: log.logger, record }) }
}
const find = ({ scope, gatewayConfigurationId }: Awaited<ReturnType<typeof makeAccount>>) =>
  findCircuits(database.orm.em.fork(), scope, [gatewayConfigurationId], NOW)

test('a circuit is never seen by another project, nor in the other environment', async () => {
  const account = await makeAccount('one')
  const other = await makeAccount('other')
  const record = recordOf('host:1')
  const { gatewayConfigurationId } = account
  record.changed({ gatewayConfigurationId, state: 'open', reason: 'failed', changedAt: secondsAgo(1) })
  await record.written()
  expect(await find(account)).toHaveLength(1)
  expect(await find({ ...other, gatewayConfigurationId })).toEqual([])
  expect(await find({ ...account, scope: { ...account.scope, sandbox: false } })).toEqual([])
})

test('a circuit that closes keeps nothing back any more, however fast it changed', async () => {
  const account = await makeAccount('fast')
  const record = recordOf('host:1')
  const { gatewayConfigurationId } = account
  for (const state of ['open', 'half-open', 'closed'] as const)
    record.changed({ gatewayConfigurationId, state, reason: 'failed', changedAt: secondsAgo(1) })
  await record.written()
  expect(await find(account)).toEqual([])
  expect(presentCircuit(await find(account))).toEqual({ state: 'closed', reason: null, changed_at: null, processes: 0 })
  const rows = await database.orm.em.fork().find(GatewayCircuitEntity, { gatewayConfigurationId })
  expect(rows).toMatchObject([{ process: 'host:1', state: 'closed' }])
  const lines = record.log.text()
  expect(lines).toContain('payments are not sent there')
  expect(lines).toContain('A gateway is back')
})

test('a circuit that changes after its last change was written down is written down again', async () => {
  const account = await makeAccount('again')
  const record = recordOf('host:1')
  const { gatewayConfigurationId } = account
  for (const state of ['open', 'closed', 'open'] as const) {
    record.changed({ gatewayConfigurationId, state, reason: 'failed', changedAt: secondsAgo(1) })
    await record.written()
    expect(await find(account)).toHaveLength(state === 'open' ? 1 : 0)
  }
})

test('of several processes the worst is told, and one that is gone ages out', async () => {
  const account = await makeAccount('several')
  const { gatewayConfigurationId } = account
  const [one, two, gone] = [recordOf('host:1'), recordOf('host:2'), recordOf('host:3')]
  gone.changed({ gatewayConfigurationId, state: 'open', reason: 'long ago', changedAt: secondsAgo(2 * 24 * 60 * 60) })
  await gone.written()
  expect(await find(account)).toEqual([])
  one.changed({ gatewayConfigurationId, state: 'open', reason: 'timed out', changedAt: secondsAgo(30) })
  await one.written()
  two.changed({ gatewayConfigurationId, state: 'half-open', reason: 'timed out', changedAt: secondsAgo(10) })
  await two.written()
  expect(presentCircuit(await find(account))).toEqual({
    state: 'open',
    reason: 'timed out',
    changed_at: secondsAgo(30).toISOString(),
    processes: 2,
  })
  const rows = await database.orm.em.fork().find(GatewayCircuitEntity, { gatewayConfigurationId })
  expect(rows.map(({ process }) => process).sort()).toEqual(['host:1', 'host:2'])
})
