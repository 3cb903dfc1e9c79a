import { stage } from './stage.ts'

/** The pages with something on each, by their addresses and titles. */
export async function everyPage(): Promise<[address: string, title: string | RegExp][]> {
  const { stack, receiver } = stage
  const { customer } = (
    await stack.post('/customers', { first_name: 'Ann', email: `ann@${'donaudampfschiff'.repeat(3)}.example` })
  ).body
  const { invoiceId } = await stack.payInvoice({
    ...{ invoice: { customer_id: customer.id }, authorize: { auto_capture_at: inDays(2) } },
  })
  const { invoiceId: long } = await stack.payInvoice({
    invoice: {
      ...{ name: 'Donaudampfschifffahrtsgesellschaftskapitän', order_id: 'O'.repeat(64) },
      ...{ amount: '12345678.500', currency: 'KWD' },
      details: [{ name: 'Rindfleischetikettierungsüberwachungsaufgabe', amount: '12345678.500', quantity: 1 }],
    },
  })
  await stack.payInvoice({ invoice: { name: 'Kapitän'.repeat(8), amount: '11111111111.99' } })
  await stack.post('/webhook-endpoints', { url: `${receiver.url}/every/page` })
  const { id: unpaid } = await stack.createInvoice()
  const declined = await stack.createCard({ name: 'SANDBOX:card.do-not-honor' })
  await stack.post(`/invoices/${unpaid}/authorize`, { source: declined.id })
  await stack.post('/invoices', { name: 'No amount' })
  const { webhook_endpoints: endpoints } = (await stack.get('/webhook-endpoints')).body
  const { gateway_configurations: gateways } = (await stack.get('/gateway-configurations')).body
  await stack.post('/routing-rules', { rules: `route { gateways: ${gateways[0].id}; }` })
  const { api_requests: requests } = await stack.waitFor(async () => {
    const { body } = await stack.get('/api-requests?filter=status:400')
    return body.count > 0 && body
  })
  return [
    ['', 'Overview'],
    ['/payments?status=authorized,failed', 'Payments'],
    [`/payments/${invoiceId}`, /€29\.00/],
    [`/payments/${unpaid}`, /€29\.00/],
    [`/payments/${long}`, /^KWD.12,345,678\.500 ?Authorized$/],
    ['/disputes', 'Disputes'],
    ['/customers', 'Customers'],
    [`/customers/${customer.id}`, 'Ann'],
    ['/webhooks', 'Webhooks'],
    [`/webhooks/${endpoints[0].id}`, endpoints[0].url],
    ['/api-keys', 'API keys'],
    ['/requests', 'Request log'],
    [`/requests/${requests[0].id}`, 'POST /invoices'],
    ['/limits', 'Rate limits'],
    ['/routing', 'Routing rules'],
    ['/gateways', 'Gateways'],
    [`/gateways/${gateways[0].id}`, gateways[0].name],
    ['/books', 'Books'],
    ['/people', 'People'],
    ['/account', 'Your account'],
    ['/nowhere', 'No such page'],
  ]
}

const inDays = (days: number) => new Date(stage.stack.clock.now().getTime() + days * 86_400_000).toISOString()
