import { randomUUID } from 'node:crypto'
import { Client } from 'pg'

// biome-ignore lint/suspicious/noExplicitAny: what the interface answers.
type Body = any

/** The sandbox as the shop's server sees it. */
export interface Sandbox {
  url: string
  temporalUrl: string
  /** As it stands in addresses of the dashboard. */
  projectId: string
  account: { email: string; password: string }
  /** @throws Error where the call is refused; a declined payment is none. */
  call(method: string, path: string, body?: object): Promise<{ body: Body; headers: Headers }>
  sql(text: string, values?: unknown[]): Promise<Body[]>
  close(): Promise<void>
}

/** What answers to a payment that was declined have as their status. */
const DECLINED = [402, 410]

/**
 * @param file what stands in the `sandbox.json` of a running `npm start`.
 * @param databaseUrl its database, by a user who may switch triggers off.
 */
export async function openSandbox(file: Record<string, string>, databaseUrl: string): Promise<Sandbox> {
  const { base_url: url = '', temporal_ui_url: temporalUrl = '', project_id: projectId = '', ...own } = file
  const database = new Client({ connectionString: databaseUrl })
  await database.connect()
  const authorization = `Basic ${Buffer.from(`${projectId}:${own.secret_key}`).toString('base64')}`
  return {
    url,
    temporalUrl,
    projectId,
    account: { email: String(own.dashboard_email), password: String(own.dashboard_password) },
    async call(method, path, body) {
      const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (!answer.ok && !DECLINED.includes(answer.status))
        throw new Error(`${method} ${path} was answered with ${answer.status}: ${await answer.text()}`)
      return { body: await answer.json(), headers: answer.headers }
    },
    sql: async (text, values) => (await database.query(text, values)).rows,
    close: () => database.end(),
  }
}
