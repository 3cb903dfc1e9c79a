import { cardField, stage } from './stage.ts'

/** An invoice, and the address that opens its page. */
export async function makeInvoice(fields: object = {}): Promise<{ id: string; address: string }> {
  const { stack, merchant } = stage
  const wanted = {
    name: 'Order 1',
    amount: '29.00',
    currency: 'EUR',
    return_url: `${merchant.url}/thanks?a=1`,
    ...fields,
  }
  const { headers, body } = await stack.post('/invoices', wanted)
  const { id } = body.invoice
  return { id, address: `${stack.baseUrl}/pay/${id}?client_secret=${headers.get('x-service-client-secret')}` }
}

async function open(address: string): Promise<void> {
  await stage.page.goto(address)
  await cardField('cc-number').waitFor()
}

export async function openInvoice(fields: object = {}): Promise<string> {
  const { id, address } = await makeInvoice(fields)
  await open(address)
  return id
}

export const heading = (text: string) => stage.page.getByRole('heading', { name: text, exact: true })
export const problem = () => stage.page.locator('#problem')

export async function invoiceOf(id: string) {
  const { body } = await stage.stack.get(`/invoices/${id}?expand[]=transaction`)
  return body.invoice
}

export const authorizationsOf = async (id: string) =>
  (await stage.stack.gatewayRequests(id)).filter(({ type }) => type === 'authorization')
