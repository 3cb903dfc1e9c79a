import { createSimulatorOverHttp } from '../../src/gateways/simulator/adapter.ts'
import { startSimulatorServer } from '../../src/gateways/simulator/server.ts'
import { describeGateway } from './contract.ts'
import { openLines } from './line.ts'
import { makeSimulator } from './simulator-fixture.ts'
import { simulatorHarness } from './simulator-harness.ts'

describeGateway('the simulator over HTTP', async () => {
  const simulator = await makeSimulator('http-contract')
  const { execute, clock } = simulator
  const server = await startSimulatorServer({ execute, clock, port: 0 })
  const lines = await openLines(server.url, () => true)
  return simulatorHarness(simulator, {
    gateway: createSimulatorOverHttp({ baseUrl: server.url }),
    over: async (trouble) => createSimulatorOverHttp({ baseUrl: await lines.open(trouble) }),
    async close() {
      await lines.close()
      await server.close()
      await simulator.drop()
    },
  })
})
