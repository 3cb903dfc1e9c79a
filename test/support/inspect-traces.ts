import type { Client } from '@temporalio/client'
import type { DataConverter } from '@temporalio/common'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { paymentWorkflowId, webhookWorkflowId } from '../../src/temporal/workflow-ids.ts'
import type { Exchanges } from './canary/exchanges.ts'
import { findSecrets, type KnownSecrets } from './canary/find-secrets.ts'
import type { CapturedLog } from './captured-log.ts'
import { findCardData, readableHistory } from './card-data.ts'
import type { TestDatabase } from './database.ts'
import { replayHistories } from './replay.ts'
import { server } from './servers.ts'
import { type HistoryJson, readHistory } from './temporal.ts'

/** Failures of a workflow task that are our defects; the others are the server's way of putting things in order. */
const DEFECTS = /NON_DETERMINISTIC_ERROR|UNHANDLED_FAILURE/

/** Histories read at once. Asked for thousands in one moment, the server loses its shard. */
const AT_ONCE = 24

export interface Traces {
  database: TestDatabase
  temporal: Client
  /** Where payloads are encrypted. */
  dataConverter: DataConverter | undefined
  log: CapturedLog
  /** Every answer to the stack's own client. */
  exchanges: Exchanges
  /** Card numbers, security codes and keys that were used. */
  secrets: KnownSecrets
}

/**
 * Looks through everything that a stack has left behind, and gives a line for each thing that should not be there:
 * card data or a secret in a history, a log, a row or an answer, a workflow task that failed, and a history that does
 * not replay, of which each kind is tried once.
 */
export async function inspectTraces(traces: Traces): Promise<string[]> {
  const { database, temporal, log, exchanges } = traces
  const known = { ...traces.secrets, others: [...traces.secrets.others, ...exchanges.toldSecrets()] }
  const histories = await readHistories(database, temporal)
  const inHistories = [...histories].flatMap(([workflowId, history]) => [
    ...findIn(readableHistory(history), known).map((what) => `The history of ${workflowId} holds ${what}.`),
    ...failedTasks(history).map((message) => `A workflow task of ${workflowId} failed: ${message}`),
  ])
  return [
    ...inHistories,
    ...findIn(log.text(), known).map((what) => `The log holds ${what}.`),
    ...(await database.inspect(known)),
    ...exchanges.inspect(known),
    ...(await failedReplays(histories, traces.dataConverter)),
  ]
}

/** In histories and logs a security code is found as a word of its own, too. */
function findIn(text: string, known: KnownSecrets): string[] {
  const codes = findCardData(text, { numbers: known.numbers, cvcs: known.cvcs }).filter((what) => / code /.test(what))
  return [...codes, ...findSecrets(text, { ...known, cvcs: [] })]
}

async function readHistories({ orm }: TestDatabase, temporal: Client): Promise<Map<string, HistoryJson>> {
  const em = orm.em.fork()
  const [invoices, deliveries] = await Promise.all([em.findAll(InvoiceEntity), em.findAll(DeliveryEntity)])
  const waiting = [
    ...invoices.map(({ id }) => paymentWorkflowId(id)),
    ...deliveries.map(({ eventId }) => webhookWorkflowId(eventId)),
  ]
  const histories = new Map<string, HistoryJson>()
  const lane = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const history = await readHistory(temporal, id)
      if (history !== undefined) histories.set(id, history)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return histories
}

function failedTasks({ events }: HistoryJson): string[] {
  return events
    .filter(({ eventType }) => eventType === 'EVENT_TYPE_WORKFLOW_TASK_FAILED')
    .map((event) => JSON.stringify(event.workflowTaskFailedEventAttributes))
    .filter((text) => DEFECTS.test(text))
}

/** What happened, by name and in order: over histories that differ in values only, workflows decide alike. */
function shapeOf({ events }: HistoryJson): string {
  return JSON.stringify(
    events.map(({ eventType, userMetadata, ...event }) => [eventType, userMetadata, namesIn(event)]),
  )
}

/** Of an activity, local or not, of an update and of a signal. */
function namesIn(event: object): string[] {
  const decoded = JSON.stringify(event).replace(/"data":"([^"]+)"/g, (_, data) => String(Buffer.from(data, 'base64')))
  return decoded.match(/"activity_?[tT]ype":(?:\{"name":)?"\w+"|"signalName":"\w+"|"header":\{\},"name":"\w+"/g) ?? []
}

async function failedReplays(
  histories: ReadonlyMap<string, HistoryJson>,
  dataConverter: DataConverter | undefined,
): Promise<string[]> {
  const shapes = new Map([...histories].map(([workflowId, history]) => [shapeOf(history), { workflowId, history }]))
  const given = [...shapes.values()]
  const replayed = await replayHistories(await server('workflowBundle'), given, dataConverter)
  return replayed.flatMap(({ workflowId, error }) =>
    error === undefined ? [] : [`The history of ${workflowId} does not replay: ${error.message}`],
  )
}
