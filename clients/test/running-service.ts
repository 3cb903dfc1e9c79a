import { createHttpClient, type HttpClient } from '../../test/support/http-client.ts'
import { makeStack } from '../../test/support/stack.ts'

/** A service that runs, with a sandbox project, as the suites of the mobile libraries need it. */
export interface RunningService {
  baseUrl: string
  projectId: string
  secretKey: string
  /** The merchant's server. */
  merchant: HttpClient
  stop(): Promise<void>
}

/**
 * The service that `HOLDFAST_URL`, `HOLDFAST_PROJECT_ID` and `HOLDFAST_SECRET_KEY` name, or one that is started here.
 *
 * @throws Error where only a part of them is given.
 */
export async function findRunningService(): Promise<RunningService> {
  const { HOLDFAST_URL: baseUrl, HOLDFAST_PROJECT_ID: projectId, HOLDFAST_SECRET_KEY: secretKey } = process.env
  if (baseUrl === undefined) return startService()
  if (projectId === undefined || secretKey === undefined)
    throw new Error('HOLDFAST_URL needs HOLDFAST_PROJECT_ID and HOLDFAST_SECRET_KEY beside it.')
  return { ...merchantOf({ baseUrl, projectId, secretKey }), stop: async () => {} }
}

async function startService(): Promise<RunningService> {
  const stack = await makeStack({ mode: 'together' })
  const { id, secretKey } = stack.project
  return { ...merchantOf({ baseUrl: stack.baseUrl, projectId: `test-${id}`, secretKey }), stop: () => stack.stop() }
}

function merchantOf(project: { baseUrl: string; projectId: string; secretKey: string }) {
  const { baseUrl, projectId, secretKey } = project
  return { ...project, merchant: createHttpClient(baseUrl, { username: projectId, password: secretKey }) }
}

export interface CreatedInvoice {
  id: string
}

/** An invoice over 29.00 EUR that leads back to an app. */
export async function createInvoice({ merchant }: RunningService, fields: object = {}): Promise<CreatedInvoice> {
  const { status, body } = await merchant.post('/invoices', {
    ...{ name: 'Order 1', amount: '29.00', currency: 'EUR', return_url: 'com.example.shop://checkout/return' },
    device: { channel: 'android' },
    ...fields,
  })
  if (status !== 200) throw new Error(`The invoice was answered with ${status}: ${JSON.stringify(body)}`)
  return { id: body.invoice.id }
}

/** The id of a card that was entered in the app, which has no secret key. */
export async function createCard({ baseUrl, projectId }: RunningService, number: string): Promise<string> {
  const app = createHttpClient(baseUrl, { username: projectId, password: '' })
  const { status, body } = await app.post('/cards', { number, exp_month: '12', exp_year: '2035', cvc2: '737' })
  if (status !== 200) throw new Error(`The card was answered with ${status}: ${JSON.stringify(body)}`)
  return body.card.id
}
