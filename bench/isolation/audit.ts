import { setTimeout as sleep } from 'node:timers/promises'
import type { Execute } from '../../src/gateways/simulator/log.ts'
import { readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { createPaymentSettler } from '../../src/temporal/client.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import type { Service } from '../stage/service.ts'
import type { Merchant } from './merchant.ts'

/** Longer than a circuit stays open, after which what is not known can be looked up. */
const SETTLE_TIMEOUT_MS = 180_000
const SETTLE_PAUSE_MS = 2_000

export interface Audit {
  payments: number
  approved: number
  /** Those that failed for certain: at an open circuit, or where no place was left. */
  failed: number
  /** Those of which the customer did not hear at once what became of them. */
  unknownAtFirst: number
}

/**
 * Asks the gateway, which is well again, what became of every payment whose outcome is not known, as often as it takes.
 *
 * @throws Error where some are not known in the end.
 */
export async function settleAll(service: Service, merchant: Merchant, signal: AbortSignal): Promise<void> {
  const settler = createPaymentSettler({ temporal: service.temporal.clients, taskQueues: TASK_QUEUES })
  const givesUpAt = performance.now() + SETTLE_TIMEOUT_MS
  const { projectId } = merchant
  for (let round = 1; ; round += 1) {
    const open = await service.orm.em
      .fork()
      .find(TransactionEntity, { projectId, attemptsInFlight: { $ne: [] } }, { fields: ['invoiceId'] })
    if (open.length === 0) return
    if (performance.now() > givesUpAt) throw new Error(`What became of ${open.length} payments is not known.`)
    for (const { invoiceId } of open)
      await settler.settle(
        { projectId, environment: 'sandbox', invoiceId, amountMinor: 2_900, currency: 'EUR', orderId: null },
        `bench-${round}-${performance.now()}`,
        { lookUpNow: true, resolution: null },
      )
    await sleep(SETTLE_PAUSE_MS, undefined, { signal })
  }
}

/**
 * Compares what customers were told, the record, and the gateway's own books; without it a figure counts for nothing.
 *
 * @throws Error with the first payment on which they differ.
 */
export async function audit(service: Service, merchant: Merchant): Promise<Audit> {
  const { projectId, gatewayConfigurationId, told } = merchant
  const pool = await service.orm.driver.getConnection().getNativeClient()
  const execute: Execute = async (sql, values) => (await pool.query(sql, [...values])).rows
  const { requests, authorizations } = await readSimulatorLog(execute)
  const held = new Map(authorizations.map((row) => [row.gatewayAuthorizationId, row.authorizedMinor]))
  const atGateway = new Map<string, number[]>()
  for (const { gatewayConfigurationId: id, invoiceId, outcome } of requests) {
    if (id !== gatewayConfigurationId || outcome.kind !== 'approved') continue
    const sums = atGateway.get(invoiceId) ?? []
    atGateway.set(invoiceId, [...sums, held.get(outcome.gatewayOperationId) ?? 0])
  }
  const transactions = await service.orm.em.fork().find(TransactionEntity, { projectId })
  const booked = new Map(transactions.map((row) => [row.invoiceId, row]))
  for (const [invoiceId, word] of told) {
    const sums = atGateway.get(invoiceId) ?? []
    const authorizedMinor = booked.get(invoiceId)?.authorizedMinor ?? 0
    const isRight =
      sums.length <= 1 &&
      authorizedMinor === (sums[0] ?? 0) &&
      (word !== 'approved' || authorizedMinor > 0) &&
      (word !== 'failed' || authorizedMinor === 0)
    if (!isRight)
      throw new Error(`${invoiceId} was told ${word}, booked ${authorizedMinor}, and at the gateway has [${sums}].`)
  }
  const words = [...told.values()]
  const count = (word: string) => words.filter((other) => other === word).length
  return {
    payments: words.length,
    approved: count('approved'),
    failed: count('failed'),
    unknownAtFirst: count('unknown'),
  }
}
