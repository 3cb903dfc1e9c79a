import { TEST_CARD } from './card-data.ts'
import type { HttpClient } from './http-client.ts'

/** The first steps of every story, as a merchant's server takes them; they throw when one is refused. */
export interface Merchant {
  /** Creates a card that is approved, or one with these fields; gives the card of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: as in Answer.
  createCard(fields?: object): Promise<any>
  /** Creates an invoice over 29.00 EUR, or one with these fields; gives the invoice of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: as in Answer.
  createInvoice(fields?: object): Promise<any>
  /** Has a new invoice authorized with a new card; `authorize` are fields of that request. */
  payInvoice(fields?: {
    invoice?: object
    card?: object
    authorize?: object
    // biome-ignore lint/suspicious/noExplicitAny: as in Answer.
  }): Promise<{ invoiceId: string; transaction: any }>
}

/** @param numbers receives every card number that is used. */
export function createMerchant(http: HttpClient, numbers: Set<string>): Merchant {
  const create = async (path: string, fields: object) => {
    const answer = await http.post(path, fields)
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const createCard: Merchant['createCard'] = async (fields = {}) => {
    const card = { number: TEST_CARD.number, exp_month: '12', exp_year: '2030', cvc2: TEST_CARD.cvc, ...fields }
    numbers.add(card.number)
    return (await create('/cards', card)).card
  }
  const createInvoice: Merchant['createInvoice'] = async (fields = {}) =>
    (await create('/invoices', { name: 'Order 1', amount: '29.00', currency: 'EUR', ...fields })).invoice
  return {
    createCard,
    createInvoice,
    async payInvoice({ invoice = {}, card = {}, authorize = {} }: Parameters<Merchant['payInvoice']>[0] = {}) {
      const [{ id: invoiceId }, { id: source }] = await Promise.all([createInvoice(invoice), createCard(card)])
      const { transaction } = await create(`/invoices/${invoiceId}/authorize`, { source, ...authorize })
      return { invoiceId: String(invoiceId), transaction }
    },
  }
}
