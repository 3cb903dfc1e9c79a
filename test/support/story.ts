import { expect } from '@jest/globals'
import type { Stack } from './stack.ts'

export const DAY_MS = 24 * 60 * 60 * 1000

/** The usual steps of a story over the interface, and what there is to be seen of a payment. */
export function createStory(stack: Stack) {
  // biome-ignore lint/suspicious/noExplicitAny: as in Answer.
  type Body = any

  const transactionOf = async (invoiceId: string): Promise<Body> => {
    const { body } = await stack.get(`/invoices/${invoiceId}/transactions?expand[]=operations&expand[]=refunds`)
    return body.transactions[0]
  }
  return {
    transactionOf,
    /** Has a new invoice authorized; `name` is a cardholder's name such as `SANDBOX:capture-lost`. */
    async pay({
      number = '4242424242424242',
      name,
      invoice = {},
      ...options
    }: { number?: string; name?: string; invoice?: object } & Record<string, unknown> = {}) {
      const [{ id: invoiceId }, { id: source }] = await Promise.all([
        stack.createInvoice(invoice),
        stack.createCard({ number, ...(name === undefined ? {} : { name }) }),
      ])
      const answer = await stack.post(`/invoices/${invoiceId}/authorize`, { source, ...options })
      return { invoiceId: String(invoiceId), source: String(source), answer }
    },
    post: (invoiceId: string, verb: string, body: object = {}) => stack.post(`/invoices/${invoiceId}/${verb}`, body),
    /** Waits until the transaction shows all of this. */
    becomes: (invoiceId: string, expected: Record<string, unknown>): Promise<Body> =>
      stack.waitFor(async () => {
        const transaction = await transactionOf(invoiceId)
        return Object.entries(expected).every(([name, value]) => transaction[name] === value) && transaction
      }),
    /** Waits for the events of a payment, oldest first, and compares them. */
    async expectEvents(invoiceId: string, expected: readonly string[]): Promise<void> {
      const names = await stack.waitFor(async () => {
        const { body } = await stack.get('/events?limit=100&order=desc')
        const ofInvoice = body.events.filter((event: Body) => event.invoice_id === invoiceId)
        return ofInvoice.length >= expected.length && ofInvoice.map((event: Body) => event.name).reverse()
      })
      expect(names).toEqual(expected)
    },
  }
}
