import { DeclinedError, type Holdfast, type InvoiceInput } from '../../../node/src/index.ts'

/** A shop in the sandbox, with what it takes to make an event happen. Each step gives the id of what it made. */
export interface Shop {
  client: Holdfast
  invoice(fields?: Partial<InvoiceInput>): Promise<string>
  /** A card that plays the scenario of the simulator. */
  card(scenario?: string): Promise<string>
  authorize(scenario?: string, fields?: Partial<InvoiceInput>): Promise<string>
  capture(scenario?: string): Promise<string>
  customer(): Promise<string>
  /** A customer with a stored card. */
  token(): Promise<{ customerId: string; tokenId: string; cardId: string }>
  endpoint(): Promise<string>
}

export function createShop(client: Holdfast): Shop {
  const shop: Shop = {
    client,
    invoice: async (fields = {}) => {
      const input = { name: 'Made by holdfast trigger', amount: '29.00', currency: 'EUR', ...fields }
      return (await client.invoices.create(input)).id
    },
    card: async (scenario = 'approved') => {
      const expiry = { exp_month: 12, exp_year: new Date().getUTCFullYear() + 3 }
      // The simulator's first card; the name decides what is played.
      const card = { number: '4242424242424242', cvc2: '123', name: `SANDBOX:${scenario}` }
      return (await client.cards.create({ ...card, ...expiry })).id
    },
    authorize: async (scenario, fields) => {
      const [id, source] = await Promise.all([shop.invoice(fields), shop.card(scenario)])
      await client.invoices.authorize(id, { source })
      return id
    },
    capture: async (scenario) => {
      const id = await shop.authorize(scenario)
      await client.invoices.capture(id)
      return id
    },
    customer: async () => (await client.customers.create({ email: 'ann@shop.example', first_name: 'Ann' })).id,
    token: async () => {
      const [customerId, cardId] = await Promise.all([shop.customer(), shop.card()])
      const { token } = await client.customers.tokens.create(customerId, { source: cardId })
      return { customerId, tokenId: token.id, cardId }
    },
    endpoint: async () => {
      // Such a name is nobody's (RFC 2606), so that nobody is sent anything.
      const endpoint = { url: 'https://shop.invalid/webhooks', description: 'Made by holdfast trigger' }
      return (await client.webhookEndpoints.create(endpoint)).id
    },
  }
  return shop
}

/** The step is meant to fail. */
export async function declined(step: Promise<unknown>): Promise<void> {
  await step.catch((error: unknown) => {
    if (!(error instanceof DeclinedError)) throw error
  })
}
