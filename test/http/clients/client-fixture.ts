import { createHttpClient, type HttpClient } from '../../support/http-client.ts'
import type { Interface, Merchant } from '../interface.ts'
import { CARD, INVOICE } from '../operations.ts'

/** A page of a merchant: it knows the project, and nothing that is secret. */
export function clientOf({ url }: Interface, { projectId }: Pick<Merchant, 'projectId'>, prefix = 'test-'): HttpClient {
  return createHttpClient(url, { username: `${prefix}${projectId}`, password: '' })
}

export const withSecret = (secret: string) => ({ headers: { 'x-service-client-secret': secret } })

/** A new invoice of a merchant, with what the merchant hands to the page. */
export async function newInvoice({ client }: Merchant, fields: object = {}): Promise<{ id: string; secret: string }> {
  const { headers, body } = await client.post('/invoices', { ...INVOICE, ...fields })
  return { id: body.invoice.id, secret: String(headers.get('x-service-client-secret')) }
}

export async function newCard(client: HttpClient): Promise<string> {
  return (await client.post('/cards', CARD)).body.card.id
}

/** What every refusal of a caller looks like who is not known, or has to be. */
export const UNAUTHENTICATED = { status: 401, body: { success: false, error_type: 'request.authentication.invalid' } }

/** A client with a wrong client secret, or without one that it needs, is nobody. */
export const WRONG_SECRET = {
  status: 401,
  body: { error_type: 'request.authentication.invalid', invalid_fields: [{ name: 'client_secret' }] },
}

/** A server is known by its key: to it, a wrong client secret is a wrong field. */
export const WRONG_SECRET_OF_SERVER = {
  status: 400,
  body: {
    error_type: 'request.validation.invalid-client-secret',
    invalid_fields: [{ name: 'client_secret' }],
  },
}
