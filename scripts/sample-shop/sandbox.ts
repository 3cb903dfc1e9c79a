import { Client } from 'pg'
import { DeclinedError, Holdfast } from '../../clients/node/src/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: what the interface answers.
type Body = any

/** The sandbox as the shop's server sees it. */
export interface Sandbox {
  url: string
  temporalUrl: string
  /** As it stands in addresses of the dashboard. */
  projectId: string
  account: { email: string; password: string }
  /**
   * The answer, or null for a payment that was declined.
   *
   * @throws HoldfastError where the call is refused, or the service was too busy for it for minutes.
   */
  call(method: 'GET' | 'POST' | 'PUT', path: string, params?: Record<string, unknown>): Promise<Body>
  sql(text: string, values?: unknown[]): Promise<Body[]>
  close(): Promise<void>
}

/** A machine with other things to do leaves some calls unstarted; the same call does it later. */
const RETRIES = 20

/**
 * @param file what stands in the `sandbox.json` of a running `npm start`.
 * @param databaseUrl its database, by a user who may switch triggers off.
 */
export async function openSandbox(file: Record<string, string>, databaseUrl: string): Promise<Sandbox> {
  const { base_url: url = '', temporal_ui_url: temporalUrl = '', project_id: projectId = '', ...own } = file
  const database = new Client({ connectionString: databaseUrl })
  await database.connect()
  const client = new Holdfast({ projectId, secretKey: String(own.secret_key), apiUrl: url, maxRetries: RETRIES })
  return {
    url,
    temporalUrl,
    projectId,
    account: { email: String(own.dashboard_email), password: String(own.dashboard_password) },
    async call(method, path, params = {}) {
      try {
        return await client.raw(method, path, { params })
      } catch (error) {
        if (error instanceof DeclinedError) return null
        throw error
      }
    },
    sql: async (text, values) => (await database.query(text, values)).rows,
    close: () => database.end(),
  }
}
