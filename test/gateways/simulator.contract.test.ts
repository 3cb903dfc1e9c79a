import { createSimulator } from '../../src/gateways/simulator/adapter.ts'
import type { Execute } from '../../src/gateways/simulator/log.ts'
import type { Trouble } from './contract/harness.ts'
import { describeGateway } from './contract.ts'
import { makeSimulator } from './simulator-fixture.ts'
import { simulatorHarness } from './simulator-harness.ts'

describeGateway('the simulator', async () => {
  const simulator = await makeSimulator('contract')
  return simulatorHarness(simulator, {
    gateway: simulator.gateway,
    over: async (trouble) => {
      const execute = troubled(simulator.execute, trouble)
      return execute === null ? null : createSimulator({ execute, clock: simulator.clock })
    },
    close: simulator.drop,
  })
})

/** The line is the connection to the database. Null for a trouble that such a connection cannot have. */
function troubled(execute: Execute, trouble: Trouble): Execute | null {
  switch (trouble.kind) {
    case 'loses-answers':
      return async (sql, parameters) => {
        await execute(sql, parameters)
        throw Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' })
      }
    case 'never-answers':
      return async (sql, parameters) => {
        await execute(sql, parameters)
        return new Promise(() => {})
      }
    case 'changes-answers':
      return async (sql, parameters) =>
        (await execute(sql, parameters)).map((row) => ({ ...row, outcome: trouble.change(row.outcome) }))
    case 'answers':
      return async (sql, parameters) =>
        (await execute(sql, parameters)).map((row) => ({ ...row, outcome: parse(trouble.text) }))
    default:
      return null
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
