import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The wire forms that the tests of the service and of all its client libraries share. Its README is
 * `clients/README.md`.
 */

const FIXTURES_FILE = fileURLToPath(new URL('../wire-fixtures.json', import.meta.url))

export interface DeviceDataRow {
  deviceData: string
  sdkAppId: string
  sdkEphemeralPublicKey: string
  sdkReferenceNumber: string
  sdkTransactionId: string
}

export interface ActionFixture {
  name: string
  client: 'browser' | 'app'
  customer_action: { type: string; value: string; metadata: Record<string, string> | null }
  value_text: string | null
  decoded: Record<string, unknown> | null
  next_sources: NextSource[]
}

export interface NextSource {
  after: string
  given?: Partial<DeviceDataRow & { token: string }>
  text: string | null
  /** Null where the first source is sent again. */
  source: string | null
  means: string
}

export interface AnswerFixture {
  name: string
  means: string
  lost?: boolean
  status?: number
  headers?: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: any answer that the service may give.
  body?: any
  text?: string
}

export interface Exchange {
  method: string
  path: string
  key?: string
  body_text?: string
  repeats?: boolean
  /** The name of one, or one by itself. */
  answer: string | AnswerFixture
}

export interface Flow {
  name: string
  invoice: Record<string, unknown>
  request: { authorize_only?: boolean; save_source?: boolean; client_secret?: string }
  service: { device_data?: DeviceDataRow | 'fails'; challenge?: string; redirects?: string[] }
  exchanges: Exchange[]
  result: {
    kind: string
    status?: string
    customer_token_id?: string
    error_type?: string | null
    retry_after_seconds?: number
  }
  waits_seconds?: number
  calls: string[]
}

export interface Fixtures {
  protocol: {
    authorize: { method: string; path: string }
    invoice: { method: string; path: string }
    project_id: string
    authorization: string
    headers: { client_secret: string; idempotency_key: string; retry_after: string }
    source_prefix: string
    rounds_max: number
    fingerprint_seconds: number
    request_fields: string[]
    action_types: string[]
    error_kinds: string[]
    invoice_statuses: { paid: string[]; failed: string[]; over: string[] }
    open_transaction_statuses: string[]
    over_transaction_statuses: string[]
  }
  actions: ActionFixture[]
  broken_actions: { name: string; customer_action: { type: string; value: string } }[]
  broken_device_data: { name: string; given: DeviceDataRow }[]
  requests: { name: string; options: Record<string, unknown>; client_secret: string | null; body_text: string }[]
  answers: AnswerFixture[]
  errors: { status: number; error_type: string; kind: string }[]
  return_urls: { return_url: string | null; android: boolean; ios: boolean }[]
  returns: { return_url: string; opened: string; is_ours: boolean; token: string | null }[]
  flow_defaults: { attempts: number; invoice: Record<string, unknown>; request: { invoice_id: string; source: string } }
  flows: Flow[]
}

export const FIXTURES: Fixtures = JSON.parse(readFileSync(FIXTURES_FILE, 'utf8'))

export function flowNamed(name: string): Flow {
  const flow = FIXTURES.flows.find((one) => one.name === name)
  if (flow === undefined) throw new Error(`There is no flow "${name}" among the fixtures.`)
  return flow
}

export function answerOf({ answer }: Exchange): AnswerFixture {
  const found = typeof answer === 'string' ? FIXTURES.answers.find(({ name }) => name === answer) : answer
  if (found === undefined) throw new Error(`There is no answer "${answer}" among the fixtures.`)
  return found
}

/** The request with which every payment begins. */
export function readingOfInvoice(invoice: Record<string, unknown> = {}): Exchange {
  const body = { success: true, invoice: { ...FIXTURES.flow_defaults.invoice, ...invoice } }
  const answer = { name: 'the invoice', means: 'invoice', status: 200, body }
  return { method: 'GET', path: '/invoices/iv_fixture?expand=transaction', answer }
}
