import { expect, test } from '@jest/globals'
import { takePicture } from '../support/chromium.ts'
import {
  addressOf,
  barriers,
  button,
  describeDashboard,
  dialog,
  enterCredentials,
  newAccount,
  newWindow,
  openPage,
  seen,
  signInAs,
  stage,
  textbox,
} from './dashboard-stage.ts'

const WINDOWS = {
  'a wide window, light': { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  'a phone, dark': { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
} as const

/** Overview, list, and payments that went well and wrong: their colours and tables are those of all pages. */
const PAGES_IN_LIGHT = 4

/** The pages with something on each, by their addresses and titles. */
async function everyPage(): Promise<[address: string, title: string | RegExp][]> {
  const { stack, receiver } = stage
  const { invoiceId } = await stack.payInvoice({ authorize: { auto_capture_at: inDays(2) } })
  const { invoiceId: long } = await stack.payInvoice({
    invoice: {
      name: 'An order with a name that is long, as those of shops are at times',
      order_id: 'O'.repeat(64),
      amount: '11111111111.99',
    },
  })
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
    ['/payments?status=authorized,failed&currency=EUR', 'Payments'],
    [`/payments/${invoiceId}`, /€29\.00/],
    [`/payments/${unpaid}`, /€29\.00/],
    [`/payments/${long}`, /€11,111,111,111\.99/],
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

/** Presses Tab until what has the focus says this. */
async function tabTo(name: string | RegExp): Promise<void> {
  const { page } = stage
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab')
    const words = String(
      await page.evaluate(
        '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent).trim()',
      ),
    )
    if (typeof name === 'string' ? words === name : name.test(words)) return
  }
  throw new Error(`Tab does not lead to ${name}.`)
}

describeDashboard('whom the dashboard is for', () => {
  test.each(Object.entries(WINDOWS))(
    '%s: axe finds nothing, and nothing is wider than the window',
    async (name, options) => {
      await newWindow(options)
      const { page } = stage
      await page.goto(addressOf())
      await button('Sign in').waitFor()
      expect(['Sign in', await barriers()]).toEqual(['Sign in', []])
      await signInAs('owner')
      const pages = await everyPage()
      for (const [number, [address, title]] of pages.entries()) {
        await openPage(address, title)
        const isWider = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        const isLooked = name.startsWith('a phone') || number < PAGES_IN_LIGHT
        expect([address, isWider, isLooked ? await barriers() : []]).toEqual([address, false, []])
        expect([address, await page.title()]).toEqual([address, expect.stringMatching(/ · Sandbox · Test$/)])
        await takePicture(page, `dashboard-${number}-${name}`, { fullPage: true })
      }
    },
    120_000,
  )

  test('axe finds nothing in what is asked before something is done, and Escape does nothing but close it', async () => {
    const { stack } = stage
    await newWindow(WINDOWS['a phone, dark'])
    const { page } = stage
    const { invoiceId } = await stack.payInvoice()
    await signInAs('owner')
    const asked = [
      [`/payments/${invoiceId}`, /€29\.00/, ['Capture', 'Void', 'Advance the clock']],
      ['/webhooks', 'Webhooks', ['Add an endpoint']],
      ['/api-keys', 'API keys', ['Create a key']],
      ['/gateways', 'Gateways', ['Add an account']],
      ['/books', 'Books', ['Export as CSV']],
      ['/people', 'People', ['Add a person']],
    ] as const
    for (const [path, title, names] of asked) {
      await openPage(path, title)
      for (const name of names) {
        await button(name).click()
        await dialog().waitFor()
        expect([name, await barriers()]).toEqual([name, []])
        await page.keyboard.press('Escape')
        await dialog().waitFor({ state: 'detached' })
      }
    }
    const { transaction } = (await stack.get(`/invoices/${invoiceId}?expand=transaction`)).body.invoice
    expect(transaction).toMatchObject({ status: 'authorized', captured_amount: '0.00' })
  })

  test('a payment is captured with the keyboard alone, from signing in on', async () => {
    const { page, stack } = stage
    const { invoiceId } = await stack.payInvoice({ invoice: { amount: '31.00' } })
    const { email } = await signInAs('owner')
    await page.context().clearCookies()
    await page.goto('about:blank')
    await page.goto(addressOf())
    await textbox('Email').waitFor()
    expect(await textbox('Email').evaluate('document.activeElement.name')).toBe('email')
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type('correct horse battery')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await tabTo('Payments')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await tabTo('€31.00')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: '€31.00' }).waitFor()
    await tabTo('Capture')
    await page.keyboard.press('Enter')
    await dialog().waitFor()
    // The dialog begins with its amount, holds the focus, and gives it back.
    await page.locator('[role=dialog] input:focus').waitFor()
    await page.keyboard.type('12.00')
    await button('Capture €12.00').waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await dialog().waitFor()
    await tabTo('Capture €31.00')
    await page.keyboard.press('Enter')
    await dialog().waitFor({ state: 'detached' })
    await seen('Captured 31.00 EUR')
    expect((await stack.get(`/invoices/${invoiceId}?expand=transaction`)).body.invoice.transaction.status).toBe(
      'completed',
    )
  })

  test('instants are those of the reader, with UTC for who points at them', async () => {
    const { stack, page } = stage
    const { invoiceId } = await stack.payInvoice()
    const { created_at } = (await stack.get(`/invoices/${invoiceId}`)).body.invoice
    await signInAs('support')
    await openPage(`/payments/${invoiceId}`, /€29\.00/)
    const shown = page.locator(`time[datetime="${created_at}"]`).first()
    const inVienna = { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Europe/Vienna' } as const
    expect(await shown.textContent()).toBe(new Intl.DateTimeFormat('en-GB', inVienna).format(new Date(created_at)))
    await shown.hover()
    await seen(`${created_at.slice(0, 19).replace('T', ' ')} UTC`)
  })

  test('a page that nobody uses asks for nothing more, and shows nothing once the session has ended', async () => {
    const { page } = stage
    await page.clock.install()
    await signInAs('owner')
    await openPage('/gateways', 'Gateways')
    const asked: string[] = []
    const answered: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('requestfinished', (request) => answered.push(request.url()))
    await page.clock.runFor('01:00')
    expect(asked.length).toBeGreaterThan(0)
    await page.clock.runFor('02:00')
    // An answer that comes later would come, by the clock of the page, after the minutes that follow.
    await stage.stack.waitFor(() => answered.length === asked.length)
    const before = asked.length
    await page.clock.runFor('10:00')
    expect(asked.slice(before)).toEqual([])
    await page.clock.runFor('06:00')
    await seen('You were signed out')
    expect(await page.getByText('Simulator').count()).toBe(0)
  })

  test('the next person in the same window sees nothing that was read by the one before', async () => {
    const { stack, page } = stage
    await stack.payInvoice({ invoice: { order_id: 'seen-by-the-owner' } })
    await signInAs('owner')
    await openPage('/payments', 'Payments')
    await seen('seen-by-the-owner')
    await button(/account and appearance/).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await button('Sign in').waitFor()
    const { email } = await newAccount('support')
    await page.route('**/dashboard/payments?*', () => {})
    await enterCredentials(email)
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await page.locator('main .loading').first().waitFor()
    expect(await page.getByText('seen-by-the-owner').count()).toBe(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})
