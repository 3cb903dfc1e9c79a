import { existsSync, readFileSync } from 'node:fs'
import { Client, Connection } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { readableHistory } from '../card-data.ts'
import type { ServerParts } from '../servers.ts'
import { askDatabase, readRows } from './database-rows.ts'
import { findSecrets } from './find-secrets.ts'

/** Histories read at once: as many as keep a small server busy. */
const AT_ONCE = 24

/** What a look has seen, and what it found: a line for each thing that should not be there. */
export interface FinalLook {
  databases: number
  statements: number
  logs: number
  workflows: number
  /** Of those workflows, whose history was read within the time. */
  histories: number
  findings: string[]
}

/**
 * Stands in whatever the tests of this look have planted in a workflow, which nobody can take out of a history again. The
 * look at the end of the run passes over it.
 */
export const PLANTED = 'planted by a test of the canary'

export interface FinalLookOptions {
  /** Texts with these words are passed over. */
  ignoring?: string
  /** Looks only at databases and workflows with this in their names: in the middle of a run others come and go. */
  among?: string
  /** For the histories, newest first; the lists of all workflows and everything else are always looked through. */
  historiesWithinMs: number
}

/**
 * Looks through what a run has left on its servers, whoever put it there: every database, the statements and the logs of
 * PostgreSQL, and every workflow that Temporal knows in any namespace, with its memo, its attributes and its history.
 * What was used is not known here; what looks like a card number or a secret is found.
 */
export async function takeFinalLook(servers: Partial<ServerParts>, options: FinalLookOptions): Promise<FinalLook> {
  const { postgres, temporal } = servers
  const { ignoring } = options
  const look: FinalLook = { databases: 0, statements: 0, logs: 0, workflows: 0, histories: 0, findings: [] }
  const judge = (place: string, text: string) => {
    if (ignoring !== undefined && text.includes(ignoring)) return
    look.findings.push(...findSecrets(text).map((what) => `${place} holds ${what}.`))
  }
  for (const [name, part] of Object.entries({ PostgreSQL: postgres, Temporal: temporal })) {
    if (part === undefined || !existsSync(part.logFile)) continue
    look.logs += 1
    judge(`The log of ${name}`, readFileSync(part.logFile, 'utf8'))
  }
  if (postgres !== undefined) await lookThroughPostgres(postgres.url, look, judge, options)
  if (temporal !== undefined) await lookThroughTemporal(temporal.address, look, judge, options)
  return look
}

type Judge = (place: string, text: string) => void

async function lookThroughPostgres(
  url: string,
  look: FinalLook,
  judge: Judge,
  { among = '' }: FinalLookOptions,
): Promise<void> {
  const databases = await askDatabase(url, async (ask) => {
    const statements = await ask("select coalesce(query, '') as query from pg_stat_activity")
    look.statements += statements.length
    judge('A statement under way', statements.map(({ query }) => query).join('\n'))
    return ask('select datname as name from pg_database where datallowconn')
  })
  for (const { name = '' } of databases) {
    if (!name.includes(among)) continue
    const address = new URL(url)
    address.pathname = name
    for (const rows of await askDatabase(address.href, readRows)) judge(`The database ${name}`, rows)
    look.databases += 1
  }
}

/** Of a page of a history with a thousand commands: larger than a client takes where it is not told otherwise. */
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024

async function lookThroughTemporal(
  address: string,
  look: FinalLook,
  judge: Judge,
  { historiesWithinMs, among = '' }: FinalLookOptions,
): Promise<void> {
  const connection = await Connection.connect({
    address,
    channelArgs: { 'grpc.max_receive_message_length': MESSAGE_BYTES_MAX },
  })
  try {
    const { namespaces } = await connection.workflowService.listNamespaces({})
    const waiting: { client: Client; workflowId: string; runId: string }[] = []
    for (const { namespaceInfo } of namespaces) {
      const namespace = namespaceInfo?.name ?? ''
      const client = new Client({ connection, namespace })
      for await (const { workflowId, runId, memo, searchAttributes } of client.workflow.list()) {
        if (!workflowId.includes(among)) continue
        judge(`The list of workflows, ${workflowId}`, JSON.stringify({ workflowId, memo, searchAttributes }))
        waiting.push({ client, workflowId, runId })
      }
    }
    look.workflows = waiting.length
    const until = performance.now() + historiesWithinMs
    const lane = async () => {
      for (let next = waiting.shift(); next !== undefined && performance.now() < until; next = waiting.shift()) {
        const { client, workflowId, runId } = next
        const history = await client.workflow.getHandle(workflowId, runId).fetchHistory()
        judge(`The history of ${workflowId}`, readableHistory(JSON.parse(String(historyToJSON(history)))))
        look.histories += 1
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
  } finally {
    await connection.close()
  }
}
