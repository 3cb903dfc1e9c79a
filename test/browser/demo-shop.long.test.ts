import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { freePort } from '../../src/embedded/ports.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { type Launched, launch } from '../journeys/launched.ts'
import type { Stack } from '../support/stack.ts'
import {
  answerBank,
  bankPage,
  CARDS,
  cardField,
  describeInChromium,
  holdsCard,
  payWith,
  seriousBarriers,
  stage,
} from './stage.ts'

/** The demo shop, as `npm run demo` runs it. */
let demo: Awaited<ReturnType<typeof startShop>>

async function startShop(stack: Stack) {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-shop-'))
  const { id, secretKey } = stack.project
  const sandbox = {
    base_url: stack.baseUrl,
    project_id: `test-${id}`,
    secret_key: secretKey,
    temporal_ui_url: 'http://ui.example',
  }
  await writeFile(join(folder, 'sandbox.json'), JSON.stringify(sandbox))
  const port = await freePort()
  const shop: Launched = launch('demo/shop.ts', { DATA_DIR: folder }, ['--port', String(port)])
  await shop.printed('The shop is open')
  return {
    url: `http://localhost:${port}`,
    output: shop.output,
    async close() {
      shop.kill('SIGTERM')
      await shop.exited()
      await rm(folder, { recursive: true })
    },
  }
}

async function openShop(): Promise<void> {
  await stage.page.goto(demo.url)
  await cardField('cc-number').waitFor()
}

/** Has a page of somebody else open the window of the shop. */
async function openInWindow(): Promise<void> {
  const { page, merchant, context } = stage
  await page.goto(merchant.url)
  const [opened] = await Promise.all([context.waitForEvent('page'), page.evaluate(`void open('${merchant.url}')`)])
  stage.page = opened
}

/** Waits until the page of the order says that it is paid, and gives the invoice's transaction as the merchant has it. */
async function paid(): ReturnType<typeof order> {
  await stage.page.waitForURL(/\/orders\//)
  await stage.page.getByText('Your order is paid.').waitFor()
  return order()
}

async function statusOf(id: string): Promise<{ status: string; invoiceId: string }> {
  const answer = await fetch(`${demo.url}/orders/${id}/status`)
  return (await answer.json()) as { status: string; invoiceId: string }
}

async function order(): Promise<{ invoiceId: string; transaction: Record<string, unknown>; steps: string[] }> {
  const { invoiceId } = await statusOf(new URL(stage.page.url()).pathname.replace('/orders/', ''))
  const { body } = await stage.stack.get(`/invoices/${invoiceId}?expand[]=transaction.operations`)
  const { operations, ...transaction } = body.invoice.transaction
  const attempts = operations.filter((operation: { is_attempt: boolean }) => operation.is_attempt)
  const steps = attempts.map(({ type, actor }: Record<string, string>) => `${type} by ${actor}`)
  return { invoiceId, transaction, steps }
}

const authorizationsOf = async (invoiceId: string) =>
  (await stage.stack.gatewayRequests(invoiceId)).filter(({ type }) => type === 'authorization')

describeInChromium('the demo shop', () => {
  beforeAll(async () => {
    demo = await startShop(stage.stack)
  })
  afterAll(() => demo?.close())
  afterEach(() => expect(holdsCard(demo.output())).toBe(false))

  test('is paid without 3-D Secure, and captures on its server once the webhook has come', async () => {
    await openShop()
    expect(await seriousBarriers()).toEqual([])
    await payWith(CARDS.approved)
    const { invoiceId, transaction, steps } = await paid()
    expect(transaction).toMatchObject({ status: 'completed', captured_amount: '29.00', three_d_s_status: null })
    expect(steps).toEqual(['authorization by client', 'capture by merchant'])
    const links = await stage.page.evaluate("[...document.querySelectorAll('#links a')].map(({ href }) => href)")
    expect(links).toEqual([
      `${stage.stack.baseUrl}/dashboard/#/test-${stage.stack.project.id}/payments/${invoiceId}`,
      `http://ui.example/namespaces/sandbox/workflows/payment-${invoiceId}`,
    ])
    expect(await authorizationsOf(invoiceId)).toHaveLength(1)
    expect(stage.complaints).toEqual([])
    // The number has been seen on its one way, which no other request may go: see the end of every test.
    expect(stage.requests.find(({ body }) => body.includes(CARDS.approved))?.url).toBe(`${stage.stack.baseUrl}/cards`)
  })

  test('leaves the capture to the page where the customer wants that', async () => {
    await openShop()
    await stage.page.getByLabel('Take the money').selectOption('at once')
    await payWith(CARDS.approved)
    expect((await paid()).steps).toEqual(['authorization by client', 'capture by client'])
  })

  test('says in words that it cannot take an empty basket, and that it does not know an order', async () => {
    await openShop()
    for (const goods of ['Coffee', 'Mug']) await stage.page.getByLabel(goods).fill('0')
    await payWith(CARDS.approved)
    await stage.page.getByText('The shop has no such order. Begin anew.').waitFor()
    await stage.page.goto(`${demo.url}/orders/none`)
    await stage.page.getByText('The shop has no such order. Begin anew.').waitFor()
  })

  test('is paid with a challenge', async () => {
    await openShop()
    await payWith(CARDS.challenge)
    await bankPage().getByLabel('Code').waitFor()
    expect(await seriousBarriers()).toEqual([])
    const bank = stage.page.frames().find((frame) => frame.url().includes('/simulator/bank/'))
    // Its buttons can be seen without scrolling, in a window of the least size that 3-D Secure has for a desktop.
    expect(await bank?.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBe(true)
    await answerBank()
    const { invoiceId, transaction } = await paid()
    expect(transaction).toMatchObject({ three_d_s_status: 'authenticated' })
    expect(await authorizationsOf(invoiceId)).toHaveLength(1)
  })

  // The bank's page could take the window that has opened the shop for the one that shows the payment.
  test('is paid after a bank that fills the window, in a window that another page has opened', async () => {
    await openInWindow()
    await openShop()
    await payWith(CARDS.approved, 'SANDBOX:three-d-s-full-page')
    await stage.page.waitForURL(/\/simulator\/bank\//)
    await stage.page.getByLabel('Code').fill('1234')
    await stage.page.getByRole('button', { name: 'Confirm' }).click()
    await paid()
  })

  test('shows its card form, and a stranger does not, once its pages are listed for the project', async () => {
    const { page, stack, merchant } = stage
    const list = (pageOrigins: string[]) =>
      stack.database.orm.em.fork().nativeUpdate(ProjectEntity, { id: stack.project.id }, { pageOrigins })
    const frameOfStranger = async () => {
      await page.goto(merchant.url)
      const form = `${stack.baseUrl}/js/v1/card-form.html?project=test-${stack.project.id}`
      await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { src: '${form}' }))`)
      return stack.waitFor(() =>
        page
          .frames()[1]
          ?.url()
          .replace(/^about:.*/, ''),
      )
    }
    expect(await frameOfStranger()).toMatch(/card-form/)
    await list([demo.url])
    expect(await frameOfStranger()).toMatch(/^chrome-error:/)
    await openShop()
    await list([])
  })
})
