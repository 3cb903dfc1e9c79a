import { drawDelay } from '../../src/gateways/simulator/faults.ts'
import type { Execute } from '../../src/gateways/simulator/ledger.ts'
import { readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { readFaultSettings } from '../../src/gateways/simulator/settings.ts'
import type { Core } from '../../src/processes/core.ts'
import type { Project } from './project.ts'

/** As a real gateway answers, by what its customers publish: half within 120 ms, one of a hundred after 380. */
export const FAULT_RATE = 0.007
export const GATEWAY = { delay_p50_ms: '120', delay_p99_ms: '380', fault_rate: String(FAULT_RATE), seed: 'bench' }

/**
 * How long the simulator held back the answer to the authorization of each invoice, in milliseconds. It is drawn from the
 * seed and the reference of the call, so it can be told afterwards, and exactly: the statement by which the simulator
 * keeps its log, the timer that fires late, and everything else that happens in this process is not part of it.
 *
 * Only of those that were asked once and answered: an answer that was lost has to be looked up, which takes what it takes.
 */
export async function gatewayDelays(core: Core, { gatewayConfigurationId }: Project): Promise<Map<string, number>> {
  const settings = readFaultSettings(GATEWAY)
  if (settings === null) throw new Error('The simulator does not know these settings.')
  const pool = await core.orm.driver.getConnection().getNativeClient()
  const execute: Execute = async (sql, values) => (await pool.query(sql, [...values])).rows
  const { requests } = await readSimulatorLog(execute)
  return new Map(
    requests
      .filter(
        (request) => request.gatewayConfigurationId === gatewayConfigurationId && request.type === 'authorization',
      )
      .filter(({ timesAsked, lookedUp }) => timesAsked === 1 && lookedUp === 0)
      .map(({ invoiceId, reference }) => [invoiceId, drawDelay(settings, reference, Math.random)]),
  )
}
