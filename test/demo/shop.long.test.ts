import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { freePort } from '../../src/embedded/ports.ts'
import { describeCard } from '../../src/gateways/simulator/test-cards.ts'
import { type Launched, launch } from '../journeys/launched.ts'
import { makeStack, type Stack } from '../support/stack.ts'

const DEMO = new URL('../../demo/', import.meta.url)
const read = (file: string) => readFile(new URL(file, DEMO), 'utf8')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-shop-'))
})
afterAll(() => rm(folder, { recursive: true }))

const start = async (args: string[] = [], dataFolder = folder) => launch('demo/shop.ts', { DATA_DIR: dataFolder }, args)

describe('the files of the shop', () => {
  test('have fewer than 200 lines together', async () => {
    const files = await Promise.all((await readdir(DEMO)).map(read))
    expect(files.join('').split('\n').length).toBeLessThan(200)
  })

  test('name test cards that there are', async () => {
    const numbers = (await read('page.html')).match(/(?:\d{4} ){3}\d{4}/g) ?? []
    expect(numbers).toHaveLength(2)
    for (const number of numbers) expect([number, describeCard(number.replaceAll(' ', ''))]).not.toEqual([number, null])
  })
})

describe('the command', () => {
  test('explains itself', async () => {
    const shop = await start(['--help'])
    expect(await shop.exited()).toBe(0)
    expect(shop.output()).toMatch(/^Usage: npm run demo -- \[options\]\n\nA shop/)
  })

  test('says that the service was never started', async () => {
    const shop = await start([], join(folder, 'nothing'))
    expect(await shop.exited()).toBe(1)
    expect(shop.output()).toMatch(/^There is no .*nothing\/sandbox\.json\. Run "npm start" .* with this DATA_DIR\./)
  })

  test('says that the service does not answer', async () => {
    const sandbox = { base_url: `http://127.0.0.1:${await freePort()}`, project_id: 'test-proj_1', secret_key: 'x' }
    await writeFile(join(folder, 'sandbox.json'), JSON.stringify(sandbox))
    const shop = await start(['--port', String(await freePort())])
    expect(await shop.exited()).toBe(1)
    expect(shop.output()).toMatch(
      /^The service at http:\/\/127\.0\.0\.1:\d+ does not answer: run "npm start"\. \(.*ECONNREFUSED/,
    )
    expect(shop.output()).not.toMatch(/\n\s+at /)
  })
})

describe('the shop', () => {
  let stack: Stack
  let shop: Launched
  let url: string

  beforeAll(async () => {
    stack = await makeStack({ mode: 'together' })
    const { id, secretKey } = stack.project
    const sandbox = {
      base_url: stack.baseUrl,
      project_id: `test-${id}`,
      secret_key: secretKey,
      temporal_ui_url: 'http://ui.example',
    }
    await writeFile(join(folder, 'sandbox.json'), JSON.stringify(sandbox))
    const port = await freePort()
    url = `http://localhost:${port}`
    shop = await start(['--port', String(port)])
    await shop.printed('The shop is open')
  })
  afterAll(async () => {
    shop.kill('SIGTERM')
    await shop.exited()
    await stack.stop()
  })

  const place = async (wanted: object, id: string = crypto.randomUUID()) => {
    const answer = await fetch(`${url}/orders`, { method: 'POST', body: JSON.stringify({ id, wanted }) })
    return (await answer.json()) as { id: string; invoiceId: string; amount: string; clientSecret: string }
  }
  const statusOf = async (id: string) =>
    (await (await fetch(`${url}/orders/${id}/status`)).json()) as { status: string; events: string[] }
  const isNow = (id: string, status: string) => stack.waitFor(async () => (await statusOf(id)).status === status)
  /** Pays as the page does, with the client key. */
  const pay = async (invoiceId: string, card: object, authorizeOnly: boolean) => {
    const { id: source } = await stack.createCard(card)
    const authorization = `Basic ${Buffer.from(`test-${stack.project.id}:`).toString('base64')}`
    return fetch(`${stack.baseUrl}/invoices/${invoiceId}/capture`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ source, authorize_only: authorizeOnly }),
    })
  }

  test('makes the prices itself, and one invoice of an order that is sent twice', async () => {
    const id = crypto.randomUUID()
    const wanted = { coffee: 2, mug: '1', yacht: 1, amount: '0.01', price: 0.01 }
    const [first, second] = await Promise.all([place(wanted, id), place(wanted, id)])
    expect(first.amount).toBe('51.00')
    expect(second.invoiceId).toBe(first.invoiceId)
    const { body } = await stack.get(`/invoices/${first.invoiceId}`)
    expect(body.invoice).toMatchObject({
      amount: '51.00',
      order_id: id,
      require_backend_capture: true,
      return_url: `${url}/orders/${id}`,
      details: [
        { name: 'coffee', quantity: 2 },
        { name: 'mug', quantity: 1 },
      ],
    })
    expect(await statusOf(id)).toMatchObject({ status: 'open', events: [] })
  })

  test('captures what the page has authorized, and confirms the order by its webhooks', async () => {
    const { id, invoiceId } = await place({ coffee: 1, mug: 1 })
    expect((await pay(invoiceId, {}, true)).status).toBe(200)
    await isNow(id, 'paid')
    await stack.waitFor(async () => (await statusOf(id)).events.includes('invoice.completed'))
    const { body } = await stack.get(`/invoices/${invoiceId}?expand[]=transaction.operations`)
    const captures = body.invoice.transaction.operations.filter(
      ({ type, is_attempt }: Record<string, unknown>) => type === 'capture' && is_attempt,
    )
    expect(captures).toMatchObject([{ actor: 'merchant' }])
  })

  test('leaves the capture to a page that was allowed it, and to no other', async () => {
    const [own, pages] = [await place({ mug: 1 }), await place({ mug: 1, isSale: true })]
    expect((await pay(own.invoiceId, {}, false)).status).toBe(400)
    expect((await pay(pages.invoiceId, {}, false)).status).toBe(200)
    await isNow(pages.id, 'paid')
    expect(await statusOf(own.id)).toMatchObject({ status: 'open' })
  })

  test('is told of a decline, after which another card pays the same order', async () => {
    const { id, invoiceId } = await place({ mug: 1 })
    expect((await pay(invoiceId, { number: '4000000000002180' }, true)).status).toBe(410)
    await isNow(id, 'not paid')
    expect((await pay(invoiceId, {}, true)).status).toBe(200)
    await isNow(id, 'paid')
  })

  test('confirms nothing where the amount is another one', async () => {
    const { id, invoiceId } = await place({ coffee: 1 })
    await stack.put(`/invoices/${invoiceId}`, { amount: '1.00' })
    expect((await pay(invoiceId, {}, true)).status).toBe(200)
    await stack.waitFor(async () => (await statusOf(id)).events.includes('transaction.authorized'))
    expect((await statusOf(id)).status).toBe('being paid')
    expect((await stack.get(`/invoices/${invoiceId}`)).body.invoice.status).toBe('authorized')
  })

  test('believes no webhook without a signature, and none with a wrong one', async () => {
    const { id, invoiceId } = await place({ mug: 1 })
    await pay(invoiceId, {}, true)
    await isNow(id, 'paid')
    const { body } = await stack.get('/events?limit=1')
    const content = JSON.stringify({ event_id: body.events[0].id, event_type: body.events[0].name })
    const send = (headers: Record<string, string>) =>
      fetch(`${url}/webhooks`, { method: 'POST', body: content, headers })
    const now = String(Math.floor(Date.now() / 1000))
    const signed = { 'webhook-id': 'ev_1', 'webhook-timestamp': now }
    expect((await send({})).status).toBe(400)
    expect((await send({ ...signed, 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` })).status).toBe(
      400,
    )
  })

  test('has a page that may load from itself and the service only', async () => {
    const { headers } = await fetch(url)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`script-src 'self' ${stack.baseUrl}; `)
    expect(policy).toContain("default-src 'none'; ")
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(await (await fetch(url)).text()).not.toContain(stack.project.secretKey)
  })

  test('registers its address once, however often it is started', async () => {
    const port = new URL(url).port
    const { body } = await stack.get('/webhook-endpoints')
    const own = body.webhook_endpoints.filter((one: { url: string }) => one.url === `http://127.0.0.1:${port}/webhooks`)
    expect(own).toHaveLength(1)
    const second = await start(['--port', port])
    expect(await second.exited()).toBe(1)
    expect(second.output()).toBe(`Port ${port} is taken: choose another one with -- --port.\n`)
    shop.kill('SIGTERM')
    await shop.exited()
    shop = await start(['--port', port])
    await shop.printed('The shop is open')
    const { body: after } = await stack.get('/webhook-endpoints')
    expect(after.webhook_endpoints).toHaveLength(body.webhook_endpoints.length)
  })
})
