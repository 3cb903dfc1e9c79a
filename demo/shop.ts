/** A merchant's shop at an address of its own: `npm run demo`. docs/guides/accept-a-card.md goes its way. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { Router } from '@koa/router'
import { Command } from 'commander'
import Koa from 'koa'
import { Webhook } from 'standardwebhooks'

const program = new Command('npm run demo --').description('A shop that is paid through the service of "npm start".')
const { port } = program.option('--port <number>', 'where the shop is', '4000').parse().opts<{ port: string }>()
const shop = `http://localhost:${port}`

interface Answer {
  invoice: { id: string; order_id: string; currency: string; transaction: Record<string, string> }
  event: { name: string; data: { invoice?: { order_id: string } } }
  webhook_endpoint: { secret: string }
  webhook_endpoints: { id: string; url: string }[]
  customer: { id: string }
}
/** A call with the secret key, which never leaves this server. A call with the same idempotency key is done once. */
async function api(method: string, path: string, body?: object, key: string = randomUUID()) {
  const authorization = `Basic ${Buffer.from(`${service.project_id}:${service.secret_key}`).toString('base64')}`
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': key }
  const response = await fetch(service.base_url + path, { method, headers, body: body ? JSON.stringify(body) : null })
  const answer = (await response.json()) as Answer & { error_type: string; message: string }
  if (!response.ok) throw new Error(`${method} ${path}: ${answer.error_type}: ${answer.message}`)
  return { ...answer, clientSecret: response.headers.get('x-service-client-secret') ?? '' }
}

type Order = Awaited<ReturnType<typeof placeOrder>>
const orders = new Map<string, Order>()
const EUROS = { coffee: 22, mug: 7 }
/** The prices are the shop's own, since a page can send anything. */
async function placeOrder({ id, wanted }: { id: string; wanted: Record<string, unknown> }) {
  const lines = Object.entries(EUROS).map(([name, euros]) => ({ name, euros, quantity: Number(wanted[name]) }))
  const details = lines.filter(({ quantity }) => quantity > 0)
  const amount = details.reduce((sum, { euros, quantity }) => sum + euros * quantity, 0).toFixed(2)
  const fields = {
    ...{ name: `Order ${id.slice(0, 8)}`, statement_descriptor: 'Bean and Mug', order_id: id },
    ...{ amount, currency: 'EUR', customer_id: customer.id },
    details: details.map(({ name, euros, quantity }) => ({ name, quantity, amount: euros.toFixed(2) })),
    ...{ require_backend_capture: wanted.isSale !== true, return_url: `${shop}/orders/${id}` },
  }
  const { invoice, clientSecret } = await api('POST', '/invoices', fields, `order-${id}`)
  return { id, wanted, invoiceId: invoice.id, clientSecret, amount, status: 'open', events: [] as string[] }
}

/** Neither the page nor a webhook says what was paid: the service does, and the amount has to be the order's. */
async function check(order: Order): Promise<void> {
  const { invoice } = await api('GET', `/invoices/${order.invoiceId}?expand[]=transaction`)
  const { status, authorized_amount: authorized, captured_amount: captured } = invoice.transaction
  const isRight = invoice.order_id === order.id && invoice.currency === 'EUR' && authorized === order.amount
  if (isRight && status === 'authorized' && order.wanted.isSale !== true)
    await api('POST', `/invoices/${order.invoiceId}/capture`, {}, `capture-${order.id}`)
  if (isRight && captured === order.amount) order.status = 'paid'
  // Webhooks come side by side, and this may be the answer of a moment ago.
  else if (order.status !== 'paid') order.status = status === 'failed' ? 'not paid' : 'being paid'
}

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
function showPage(ctx: Koa.Context) {
  const [nonce, { base_url: api, project_id: project, temporal_ui_url: ui }] = [randomUUID(), service]
  const policy = `script-src 'self' ${api}; style-src 'nonce-${nonce}'; frame-src ${api}; connect-src 'self' ${api}`
  ctx.set('Content-Security-Policy', `default-src 'none'; ${policy}; base-uri 'none'; frame-ancestors 'none'`)
  // The UI of Temporal can be turned off.
  const temporal = ui === null ? '' : ` and <a href="${ui}/namespaces/sandbox/workflows/payment-">in Temporal</a>`
  const page = file('page.html').replace('NONCE', nonce).replace('TEMPORAL', temporal)
  Object.assign(ctx, { type: 'html', body: page.replaceAll('API', api).replaceAll('PROJECT', project) })
}
const router = new Router().get('/', showPage).get('/orders/:id', showPage)
router.get('/checkout.js', (ctx) => void Object.assign(ctx, { type: 'js', body: file('checkout.js') }))
router.post('/orders', async (ctx) => {
  const order = await placeOrder(JSON.parse(await text(ctx.req)))
  ctx.body = orders.get(order.id) ?? orders.set(order.id, order).get(order.id)
})
router.get('/orders/:id/status', (ctx) => {
  const { invoiceId, status, events } = orders.get(ctx.params.id ?? '') ?? ctx.throw(404)
  ctx.body = { invoiceId, status, events }
})
router.post('/webhooks', async (ctx) => {
  const body = await text(ctx.req)
  try {
    new Webhook(endpoint.secret).verify(body, ctx.headers as Record<string, string>)
  } catch {
    ctx.throw(400)
  }
  const { event } = await api('GET', `/events/${JSON.parse(body).event_id}`)
  const order = orders.get(event.data.invoice?.order_id ?? '')
  // A failure is answered 500, and the webhook comes again: all of this may be done twice.
  if (order !== undefined) await check(order)
  order?.events.push(event.name)
  ctx.status = 204
})
const path = `${process.env.DATA_DIR ?? '.data'}/sandbox.json`
if (!existsSync(path)) program.error(`There is no ${path}. Run "npm start" in another terminal with this DATA_DIR.`)
type Sandbox = Record<'base_url' | 'project_id' | 'secret_key', string> & { temporal_ui_url: string | null }
const service: Sandbox = JSON.parse(readFileSync(path, 'utf8'))
const { webhook_endpoints: earlier } = await api('GET', '/webhook-endpoints').catch(({ message, cause }) =>
  program.error(`The service at ${service.base_url} does not answer: run "npm start". (${cause ?? message})`),
)
const server = new Koa().use(router.routes()).listen(Number(port), '127.0.0.1')
await once(server, 'listening').catch(() => program.error(`Port ${port} is taken: choose another one with -- --port.`))
const url = `http://127.0.0.1:${port}/webhooks`
for (const { id } of earlier.filter((one) => one.url === url)) await api('DELETE', `/webhook-endpoints/${id}`)
const { webhook_endpoint: endpoint } = await api('POST', '/webhook-endpoints', { url })
const { customer } = await api('POST', '/customers', {})
process.stdout.write(`The shop is open at ${shop}. Stop it with Ctrl-C.\n`)
