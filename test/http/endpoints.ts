import { expect } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { seededRandomBytes } from '../support/random.ts'
import { type Interface, startInterface } from './interface.ts'

export const INVOICE = { name: 'Order 1', amount: '29.00', currency: 'EUR' }
export const CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc2: '123' }
const SOURCE = { source: makeIdentifier('card', seededRandomBytes('source')) }

/** Every endpoint that takes a body, with a body that it would accept. */
export const ENDPOINTS = {
  '/cards': CARD,
  '/customers': { email: 'ann@shop.example' },
  '/invoices': INVOICE,
  '/invoices/:id/customers': { email: 'ann@shop.example' },
  '/invoices/:id/authorize': SOURCE,
  '/invoices/:id/capture': SOURCE,
  '/invoices/:id/increment_authorization': { amount: '1.00' },
  '/invoices/:id/void': { amount: '1.00' },
  '/invoices/:id/refunds': { amount: '1.00' },
} as const

export type Endpoint = keyof typeof ENDPOINTS

/** Of the routes that take a larger body than 64 KiB, in bytes. */
const LARGER_BODIES: Readonly<Record<string, number>> = {
  'POST /invoices': 262_144,
  'PUT /invoices/:id': 262_144,
  'POST /invoices/:id/authorize': 98_304,
  'POST /invoices/:id/capture': 98_304,
  'POST /invoices/:id/three-d-s': 98_304,
  'POST /invoices/:id/refunds': 98_304,
  'POST /transactions/:id/refunds': 98_304,
  'POST /gateway-configurations/:id/settlement-files': 1_048_576,
}

/** More fields than a route takes, in a body that is not too large. */
export function tooManyFields(method: string, path: string): number {
  return bodyBytesMax(method, path) > 200_000 ? 10_001 : 2_000
}

/** The largest body that a route takes, in bytes. */
export function bodyBytesMax(method: string, path: string): number {
  return LARGER_BODIES[`${method} ${path}`] ?? 65_536
}

/** An interface on which nothing may be written and no money moved. */
export interface ReadOnlyInterface extends Interface {
  /** Sends a body as it is to an endpoint, on an invoice that is there. */
  send(
    endpoint: Endpoint,
    body: NonNullable<RequestInit['body']>,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }>
  /** Stops, and proves of everything that was sent that it wrote nothing, moved nothing and broke nothing. */
  stop(): Promise<void>
}

export async function startReadOnlyInterface(): Promise<ReadOnlyInterface> {
  const api = await startInterface()
  const { body } = await api.merchant.client.post('/invoices', INVOICE)
  const invoiceId: string = body.invoice.id
  const before = await api.database.dump()
  const { projectId, secretKey } = api.merchant
  const authorization = `Basic ${Buffer.from(`${projectId}:${secretKey}`).toString('base64')}`
  return {
    ...api,
    async send(endpoint, body, headers = {}) {
      const response = await fetch(new URL(endpoint.replace(':id', invoiceId), api.url), {
        method: 'POST',
        body,
        headers: { authorization, 'content-type': 'application/json', ...headers },
        duplex: 'half',
      } as RequestInit)
      const answer = (await response.json()) as Record<string, unknown>
      return { status: response.status, headers: response.headers, body: answer }
    },
    async stop() {
      const after = await api.database.dump()
      await api.stop()
      expect(after).toBe(before)
      expect(api.payments.sent).toEqual([])
      expect(api.log.text()).not.toContain(CARD.number)
      expect(api.log.text()).not.toMatch(/"level":(50|60)/)
    },
  }
}
