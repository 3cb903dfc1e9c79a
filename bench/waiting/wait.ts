import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.ts'
import type { Execute } from '../../src/gateways/simulator/ledger.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import type { Core } from '../../src/processes/core.ts'
import { startOptions } from '../../src/temporal/client.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import { paymentWorkflowId } from '../../src/temporal/workflow-ids.ts'
import type { paymentWorkflow } from '../../workflows/payment.ts'
import { monotonicMs } from '../measure/clock.ts'
import { endOfTasks } from '../measure/end-of-tasks.ts'
import type { PartContext } from '../parts/part.ts'
import type { Told } from '../payments/audit.ts'
import { copyPayment, idOfCopy } from './copies.ts'

/** Rows of one statement: a second's work or two. */
const COPIED_AT_ONCE = 2_500
/** Starts in flight, and starts after which it is waited for their first tasks: a queue that grows slows everything down. */
const STARTED_AT_ONCE = 16
const STARTED_IN_A_ROW = 1_000
const SAY_EVERY_MS = 20_000
/** The last ones may come to rest in any order. */
const LAST = 16
/** No batch takes so long, even on a busy machine. */
const STUCK_MS = 300_000

/**
 * Makes payments that are authorized and wait for a capture, or for the end of their authorization in 7 days: the rows of a
 * real one copied, and the real workflow started on each, which reads its payment and arms its timer.
 *
 * @param invoiceId of the payment that is copied, which is authorized and of this project.
 * @param told gets them, so that they are compared with all books as well.
 */
export async function makeWaiting(
  { core, projectId, told }: { core: Core; projectId: string; told: Map<string, Told> },
  invoiceId: string,
  count: number,
  { say, signal }: Pick<PartContext, 'say' | 'signal'>,
): Promise<void> {
  const pool = await core.orm.driver.getConnection().getNativeClient()
  const execute: Execute = async (sql, values) => (await pool.query(sql, [...values])).rows
  const startedAt = monotonicMs()
  for (let from = 0; from < count; from += COPIED_AT_ONCE) {
    signal.throwIfAborted()
    await copyPayment(execute, invoiceId, from, Math.min(COPIED_AT_ONCE, count - from))
  }
  // As autovacuum does by itself some time after so many new rows.
  await execute('vacuum analyze', [])
  say(`The rows of ${count} payments are there after ${seconds(startedAt)} s`)
  const { amountMinor, currency } = await core.orm.em.fork().findOneOrFail(InvoiceEntity, invoiceId)
  const { workflow } = core.temporal.clients.sandbox
  let [begun, saidAt] = [0, monotonicMs()]
  const start = async (end: number) => {
    while (begun < end) {
      signal.throwIfAborted()
      const id = idOfCopy(invoiceId, begun)
      begun += 1
      told.set(id, 'approved')
      const reference = { projectId, environment: 'sandbox', invoiceId: id } as const
      await workflow.start<typeof paymentWorkflow>('paymentWorkflow', {
        ...startOptions({ ...reference, amountMinor, currency, orderId: null }, TASK_QUEUES),
        workflowIdConflictPolicy: 'FAIL',
        args: [reference],
      })
    }
  }
  while (begun < count) {
    const end = Math.min(count, begun + STARTED_IN_A_ROW)
    await Promise.all(Array.from({ length: STARTED_AT_ONCE }, () => start(end)))
    const last = Array.from({ length: Math.min(LAST, end) }, (_, back) => idOfCopy(invoiceId, end - 1 - back))
    await endOfTasks(core.temporal.clients.sandbox, last.map(paymentWorkflowId), STUCK_MS)
    if (monotonicMs() - saidAt > SAY_EVERY_MS || begun === count) {
      say(`${begun} of ${count} payments wait after ${seconds(startedAt)} s`)
      saidAt = monotonicMs()
    }
  }
}

/** Runs of payments that are authorized and wait. */
export async function countWaiting({ clients }: Core['temporal']): Promise<number> {
  const { name } = SEARCH_ATTRIBUTES.paymentStatus
  const query = `WorkflowType = 'paymentWorkflow' AND ExecutionStatus = 'Running' AND ${name} = 'authorized'`
  return (await clients.sandbox.workflow.count(query)).count
}

function seconds(since: number): number {
  return Math.round((monotonicMs() - since) / 1000)
}
