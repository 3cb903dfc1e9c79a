import { createSimulator, type Transport } from '../../src/gateways/simulator/adapter.ts'
import type { Trouble } from './contract/harness.ts'
import { describeGateway } from './contract.ts'
import { makeSimulator } from './simulator-fixture.ts'
import { simulatorHarness } from './simulator-harness.ts'

describeGateway('the simulator', async () => {
  const simulator = await makeSimulator('contract')
  const { execute, clock } = simulator
  return simulatorHarness(simulator, {
    gateway: simulator.gateway,
    over: async (trouble) => {
      const transport = troubled(trouble)
      return transport === null ? null : createSimulator({ execute, clock, transport })
    },
    close: simulator.drop,
  })
})

/** Null for a trouble that only a connection, or text on it, can have: the simulator answers with values. */
function troubled(trouble: Trouble): Transport | null {
  switch (trouble.kind) {
    case 'loses-answers':
      return async (call) => {
        await call()
        throw Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' })
      }
    case 'never-answers':
      return async (call) => {
        await call()
        return new Promise(() => {})
      }
    default:
      return null
  }
}
