import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { createProject } from '../../../../src/persistence/queries/projects/projects.ts'
import { makeAccount, PASSWORD } from '../../../../test/dashboard/browser.ts'
import { takePicture } from '../../../../test/support/chromium.ts'
import { createHttpClient } from '../../../../test/support/http-client.ts'
import { listen } from '../../../../test/support/listen.ts'
import { seededRandomBytes } from '../../../../test/support/random.ts'
import {
  addressOf,
  barriers,
  button,
  describeDashboard,
  dialog,
  enterCredentials,
  link,
  newAccount,
  newWindow,
  openPage,
  openPayment,
  projectId,
  row,
  section,
  seen,
  signInAnew,
  signInAs,
  stage,
  takeSecret,
  textbox,
  transactionOf,
} from './stage.ts'

/** A project with the payment of one order, to which people may belong as well. */
async function otherProject(seed: string): Promise<string> {
  const { stack } = stage
  const { projectId: id } = await createProject(stack.database.orm.em.fork(), {
    name: 'Second shop',
    sandbox: true,
    randomBytes: seededRandomBytes(seed),
    hashSecret: stack.vault.hashSecret,
    now: stack.clock.now(),
  })
  return id
}

/** Text that acts where it is taken for HTML. */
const EVIL = '<img src=x onerror="window.isHacked=true"><script>window.isHacked=true</script>'

/** Whether something of a text has become a part of the page. */
const isHacked = (page: Page) =>
  page.evaluate('window.isHacked === true || document.querySelector("img[src=x], main script") !== null')

/** Each button of a page by its name, but for those that copy. */
async function buttonsOf(path: string, title: string | RegExp): Promise<string[]> {
  await openPage(path, title)
  const names = await stage.page
    .locator('main button')
    .evaluateAll((buttons) => buttons.map((one) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim()))
  return [...new Set(names)].filter((name) => !name.startsWith('Copy')).sort()
}

const statusOf = async (secret: string, path: string, body?: object) => {
  const client = createHttpClient(stage.stack.baseUrl, { username: projectId(), password: secret })
  return (body ? await client.post(path, body) : await client.get(path)).status
}

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

describeDashboard('whom the dashboard lets see and do what', () => {
  test('what merchants, customers and their servers write is shown as text, on every page', async () => {
    const { stack, receiver } = stage
    receiver.answerWith((response) => response.writeHead(500).end(EVIL), 200)
    const { body: added } = await stack.post('/webhook-endpoints', {
      url: `${receiver.url}/evil`,
      description: EVIL,
      events_whitelist: ['transaction.voided'],
    })
    const endpointId = added.webhook_endpoint.id
    const { body: created } = await stack.post('/customers', { email: 'a@example.com', first_name: EVIL })
    const { invoiceId } = await stack.payInvoice({
      invoice: { name: EVIL, order_id: EVIL, customer_id: created.customer.id },
      card: { name: 'Evil "><svg onload=alert(1)>' },
    })
    await stack.post(`/invoices/${invoiceId}/void`)
    await receiver.waitForCount(2)
    await stack.post('/invoices', { name: EVIL })
    await signInAs('owner')
    const { page } = stage
    await openPage('/payments', 'Payments')
    await row(EVIL).waitFor()
    await openPayment(invoiceId)
    await section('Timeline')
      .getByRole('button', { name: /Webhooks: 1/ })
      .first()
      .click()
    await seen(EVIL, section('Timeline'))
    expect(await isHacked(page)).toBe(false)
    await openPage(`/webhooks/${endpointId}`, `${receiver.url}/evil`)
    await seen(EVIL)
    await openPage('/api-keys', 'API keys')
    await button('Create a key').click()
    await textbox('Name').fill(EVIL)
    await button('Create the key').click()
    await button('I have copied it').click()
    await row(EVIL).waitFor()
    const { api_requests: requests } = await stack.waitFor(async () => {
      const { body } = await stack.get('/api-requests?filter=status:400')
      return body.count > 0 && body
    })
    await openPage(`/requests/${requests[0].id}`, 'POST /invoices')
    await seen('window.isHacked', section('What was sent'))
    await page.goto(addressOf(`/payments?search=${encodeURIComponent(EVIL)}`))
    await row(EVIL).waitFor()
    expect(await isHacked(page)).toBe(false)
  })

  test('two windows show two projects, and each acts in its own, with the role of that one', async () => {
    const { stack } = stage
    const second = await otherProject('two windows')
    const { invoiceId } = await stack.payInvoice({ invoice: { order_id: 'of-the-first' } })
    const { email } = await makeAccount(stack, { roles: { [stack.project.id]: 'owner', [second]: 'support' } })
    await newWindow()
    const { page, context } = stage
    await page.goto(addressOf(`/payments/${invoiceId}`))
    await enterCredentials(email)
    await button('Void').waitFor()
    const other = await context.newPage()
    await other.goto(`${stack.baseUrl}/dashboard/#/test-${second}/api-keys`)
    await other.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    expect(await other.getByRole('button', { name: 'Create a key' }).count()).toBe(0)
    await other.goto(`${stack.baseUrl}/dashboard/#/test-${second}/payments/${invoiceId}`)
    await other.getByText(/other environment/).waitFor()
    await button('Void').click()
    await button('Void €29.00').click()
    await seen('Voided', page.getByRole('heading', { level: 1 }))
    expect(await other.getByText('of-the-first').count()).toBe(0)
  })

  test('a window that shows what was, tells what is as soon as it is asked to act, and moves nothing', async () => {
    const { stack } = stage
    const { invoiceId } = await stack.payInvoice()
    await signInAs('owner')
    await openPayment(invoiceId)
    await button('Capture').click()
    // At the last moment: the page reads by itself, and a dialog that has read of it offers nothing more.
    await stage.page.route('**/capture', async (route) => {
      await stack.post(`/invoices/${invoiceId}/void`)
      await route.continue()
    })
    await button('Capture €29.00').click()
    await dialog().getByRole('alert').waitFor()
    await stage.page.unroute('**/capture')
    expect(await transactionOf(invoiceId)).toMatchObject({ status: 'voided', captured_amount: '0.00' })
    await button('Cancel').click()
    await seen('Voided', stage.page.getByRole('heading', { level: 1 }))
    expect(await button('Capture').count()).toBe(0)
  })

  test('a page of somebody else, open in the same browser, changes nothing and reads nothing', async () => {
    const { stack } = stage
    const { invoiceId } = await stack.payInvoice()
    await signInAs('owner')
    // Another port of this machine is the same site to a browser, so that the cookie comes along.
    const capture = `${stack.baseUrl}/invoices/${invoiceId}/capture`
    const forms = [capture, `${stack.baseUrl}/dashboard/session`].map(
      (action) =>
        `<form method="post" action="${action}" enctype="text/plain" target="out"><input name='{"a' value='"}'></form>`,
    )
    const server = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<iframe name="out"></iframe>${forms.join('')}<iframe src="${stack.baseUrl}/dashboard/"></iframe>`)
    })
    try {
      const attacker = await stage.context.newPage()
      await attacker.goto(server.url)
      const headers = JSON.stringify({ 'x-project-id': projectId() })
      const answers = await attacker.evaluate(`(async () => {
        // Without a project it is a call of REST, of which the browser asks its user for the password, and waits.
        const signal = AbortSignal.timeout(2_000)
        const ask = (address, options) => fetch(address, { credentials: 'include', signal, ...options })
          .then((answer) => answer.text(), () => 'nothing')
        for (const form of document.forms) form.submit()
        return Promise.all([
          ask('${capture}', { method: 'POST' }),
          ask('${capture}', { method: 'POST', headers: ${headers} }),
          ask('${stack.baseUrl}/dashboard/session', { method: 'DELETE' }),
          ask('${stack.baseUrl}/dashboard/session'),
          ask('${stack.baseUrl}/dashboard/payments', { headers: ${headers} }),
          ask('${capture}', { method: 'POST', mode: 'no-cors' }).then((text) => text || 'nothing'),
        ])
      })()`)
      expect(answers).toEqual(Array.from({ length: 6 }, () => 'nothing'))
      // The page itself may not be put into a frame, where its buttons could be covered.
      expect(attacker.frames().at(-1)?.url()).toBe('chrome-error://chromewebdata/')
      await attacker.close()
    } finally {
      await server.close()
    }
    await stage.page.reload()
    await stage.page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    expect(await transactionOf(invoiceId)).toMatchObject({ status: 'authorized', captured_amount: '0.00' })
  })

  test('a key is limited to what it is for, shown once, and revoked', async () => {
    await signInAs('owner')
    await link('API keys').click()
    await button('Create a key').click()
    await textbox('Name').fill('Bookkeeping')
    for (const permission of ['Payments', 'Refunds', 'Configuration', 'Webhooks'])
      await dialog().getByRole('checkbox', { name: permission }).uncheck()
    await button('Create the key').click()
    const secret = await takeSecret('Secret key')
    expect(await statusOf(secret, '/invoices')).toBe(200)
    expect(await statusOf(secret, '/invoices', { name: 'x', amount: '1.00', currency: 'EUR' })).toBe(403)
    await seen(`ends in ${secret.slice(-4)}`, row('Bookkeeping'))
    await button('Revoke', row('Bookkeeping')).click()
    await button('Revoke for good').click()
    await seen('Revoked', row('Bookkeeping'))
    expect(await statusOf(secret, '/invoices')).toBe(401)
  })

  test('an owner invites a person, who chooses a password and sees no button that support may not press', async () => {
    const { stack } = stage
    const { invoiceId } = await stack.payInvoice()
    await stack.post('/webhook-endpoints', { url: `${stage.receiver.url}/support` })
    const [endpoint] = (await stack.get('/webhook-endpoints')).body.webhook_endpoints
    const [gateway] = (await stack.get('/gateway-configurations')).body.gateway_configurations
    await stack.post('/routing-rules', { rules: `route { gateways: ${gateway.id}; }` })
    const owner = await signInAs('owner')
    const { page } = stage
    await link('People').click()
    await button('Invite a person').click()
    for (const [address, refusal] of [
      ['sam@shop', 'This is no email address'],
      [owner.email, 'This person belongs to the project already'],
    ] as const) {
      await textbox('Email').fill(address)
      await button('Invite').click()
      await seen(refusal, dialog().getByRole('alert'))
    }
    await button('Cancel').click()
    const invite = async (email: string) => {
      await button('Invite a person').click()
      await textbox('Email').fill(email)
      await button('Invite').click()
      await takePicture(stage.page, 'dashboard-invitation-link')
      return takeSecret('Link')
    }
    const late = await invite('late@example.com')
    await stack.database.orm.em
      .fork()
      .execute("update invitation set expires_at = created_at + interval '1 ms' where email = 'late@example.com'")
    const withdrawn = await invite('gone@example.com')
    await takePicture(stage.page, 'dashboard-invitations')
    await button('Withdraw', row('gone@example.com')).click()
    await row('gone@example.com').waitFor({ state: 'detached' })
    const sams = await invite('sam@example.com')

    await newWindow()
    await stage.page.goto(withdrawn)
    await seen(
      /It was used, withdrawn or replaced/,
      stage.page.getByRole('alert').filter({ hasText: 'no longer works' }),
    )
    await stage.page.goto(late)
    await seen(/It has expired/, stage.page.getByRole('alert').filter({ hasText: 'no longer works' }))
    expect(await button('Try again').count()).toBe(0)
    await stage.page.route('**/dashboard/invitation', (route) => route.abort(), { times: 1 })
    await stage.page.goto(sams)
    await button('Try again').click()
    await seen(/invites sam@example\.com/)
    expect(await barriers()).toEqual([])
    await takePicture(stage.page, 'dashboard-join')
    await textbox('Name').fill('Sam Example')
    for (const field of ['Password', 'Password again']) await textbox(field).fill('passwordpassword1')
    await button('Make an account and join').click()
    await seen(/too easy to guess/, stage.page.getByRole('alert'))
    await textbox('Password').fill('sam has 1 long one')
    await textbox('Password again').fill('sam has 1 other one')
    await button('Make an account and join').click()
    await seen('The two are not the same.')
    // In place of what was refused before, not beside it.
    await stage.page.getByRole('alert').waitFor({ state: 'detached' })
    await textbox('Password again').fill('sam has 1 long one')
    await button('Make an account and join').click()
    await stage.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(stage.page.url()).not.toContain('hflink_')
    const { page: sam, context } = stage

    // The same person is asked to join another project, by the account that there is now.
    const second = await otherProject('invitation')
    const { email } = await makeAccount(stack, { roles: { [second]: 'owner' } })
    await newWindow()
    await stage.page.goto(`${stack.baseUrl}/dashboard/#/test-${second}/people`)
    await enterCredentials(email)
    const again = await invite('sam@example.com')
    await stage.page.goto(again)
    await seen(`You are signed in as ${email}.`)
    await takePicture(stage.page, 'dashboard-join-other')
    await button('Sign out').click()
    await button('I have an account').click()
    for (const password of ['not the password', 'sam has 1 long one']) {
      await textbox('Password').fill(password)
      await button('Sign in').click()
      if (password === 'not the password') await seen(/wrong/, stage.page.getByRole('alert'))
    }
    await button('Accept the invitation').waitFor()
    await takePicture(stage.page, 'dashboard-join-accept')
    await button('Accept the invitation').click()
    await stage.page.getByLabel('Project').waitFor()

    await signInAs('owner')
    await link('People').click()
    for (const role of ['Developer', 'Support']) {
      await button('Change role', row('sam@example.com')).click()
      await page.getByRole('radio', { name: role }).check()
      await button('Change the role').click()
      await seen(role, row('sam@example.com'))
    }
    Object.assign(stage, { page: sam, context })
    await openPage('', 'Overview')
    expect(await link('People').count()).toBe(0)
    for (const path of [`payments/${invoiceId}`, 'webhooks', 'api-keys', 'routing', 'gateways', 'books']) {
      await openPage(`/${path}`, /./)
      await seen('Your role looks here and changes nothing.')
    }
    expect({
      payments: await buttonsOf('/payments', 'Payments'),
      payment: await buttonsOf(`/payments/${invoiceId}`, /€29\.00/),
      webhooks: await buttonsOf('/webhooks', 'Webhooks'),
      endpoint: await buttonsOf(`/webhooks/${endpoint.id}`, endpoint.url),
      keys: await buttonsOf('/api-keys', 'API keys'),
      routing: await buttonsOf('/routing', 'Routing rules'),
      gateways: await buttonsOf('/gateways', 'Gateways'),
      gateway: await buttonsOf(`/gateways/${gateway.id}`, gateway.name),
      people: await buttonsOf('/people', 'People'),
    }).toEqual({
      payments: ['Columns', 'Created: newest first', 'Export as CSV', 'Filters', 'Search'],
      payment: ['No webhook'],
      webhooks: ['Read again'],
      endpoint: ['Read again'],
      keys: [],
      routing: ['Text', 'Try on past payments', 'What happens?'],
      gateways: [],
      gateway: [],
      people: [],
    })
  })

  test('live is another colour and has data of its own; a developer creates no key there', async () => {
    await signInAs('developer')
    const { page } = stage
    await openPage('/api-keys', 'API keys')
    await button('Create a key').waitFor()
    const colour = () => page.evaluate("getComputedStyle(document.querySelector('.environment-band')).backgroundColor")
    const sandbox = await colour()
    await page.locator('.environment-switch').getByText('Live').click()
    await seen('Real cards, real money.')
    expect(page.url()).toBe(`${stage.stack.baseUrl}/dashboard/#/${projectId({ live: true })}/api-keys`)
    await seen('No keys yet')
    expect(await button('Create a key').count()).toBe(0)
    // The page is painted before the colours are changed.
    await stage.stack.waitFor(async () => (await colour()) !== sandbox)
    await link('Payments').click()
    await seen('No payments yet')
  })

  test('a payment is captured with the keyboard alone, from signing in on', async () => {
    const { invoiceId } = await stage.stack.payInvoice({ invoice: { amount: '31.00' } })
    const { email } = await newAccount('owner')
    await newWindow()
    const { page } = stage
    await page.goto(addressOf())
    // A browser gives the focus that a field asks for with the frame after.
    await page.locator('input[name=email]:focus').waitFor()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await tabTo('Payments')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await link('€31.00').waitFor()
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
    await seen('Captured €31.00')
    expect(await transactionOf(invoiceId)).toMatchObject({ status: 'completed' })
  })

  test('instants are those of the reader, with UTC for who points at them', async () => {
    const { stack } = stage
    const { invoiceId } = await stack.payInvoice()
    const { created_at } = (await stack.get(`/invoices/${invoiceId}`)).body.invoice
    await signInAs('owner')
    await openPayment(invoiceId)
    const { page } = stage
    const shown = page.locator(`time[datetime="${created_at}"]`).first()
    const inVienna = { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Europe/Vienna' } as const
    expect(await shown.textContent()).toBe(new Intl.DateTimeFormat('en-GB', inVienna).format(new Date(created_at)))
    await shown.hover()
    await seen(`${created_at.slice(0, 19).replace('T', ' ')} UTC`)
  })

  test('a page that nobody uses asks for nothing more, and shows nothing once the session has ended', async () => {
    await newWindow()
    const { page } = stage
    await page.clock.install()
    await signInAnew('owner')
    await openPage('/gateways', 'Gateways')
    const asked: string[] = []
    const open = new Set<unknown>()
    page.on('request', (request) => {
      asked.push(request.url())
      open.add(request)
    })
    // One that was asked before may end here, and one that its page no longer wants fails.
    page.on('requestfinished', (request) => open.delete(request))
    page.on('requestfailed', (request) => open.delete(request))
    await page.clock.runFor('01:00')
    expect(asked.length).toBeGreaterThan(0)
    await page.clock.runFor('02:00')
    // An answer that comes later would come, by the clock of the page, after the minutes that follow.
    await stage.stack.waitFor(() => open.size === 0)
    const before = asked.length
    await page.clock.runFor('10:00')
    expect(asked.slice(before)).toEqual([])
    // An address is opened by somebody, though no key or pointer touched the page.
    await openPage('/webhooks', 'Webhooks')
    await stage.stack.waitFor(() => asked.slice(before).some((url) => url.includes('/webhook-endpoints')))
    await page.clock.runFor('03:00')
    // As above: an answer that came after the minutes that follow would count as the last use of the session.
    await stage.stack.waitFor(() => open.size === 0)
    await page.clock.runFor('16:00')
    await seen('You were signed out')
    expect(await page.getByText('Endpoints').count()).toBe(0)
  })

  test('the next person in the same window sees nothing that was read by the one before', async () => {
    await stage.stack.payInvoice({ invoice: { order_id: 'seen-by-the-owner' } })
    await newWindow()
    const { page } = stage
    await signInAnew('owner')
    await openPage('/payments', 'Payments')
    await seen('seen-by-the-owner')
    await button('Export as CSV').click()
    const told = page.getByRole('alert').filter({ hasText: 'was downloaded' })
    // It stays as long as the pointer rests on it, which these clicks do not move.
    await told.hover()
    await button(/account and appearance/).dispatchEvent('click')
    await page.getByRole('menuitem', { name: 'Sign out' }).dispatchEvent('click')
    await button('Sign in').waitFor()
    await told.waitFor({ state: 'detached' })
    const { email } = await newAccount('support')
    await page.route('**/dashboard/payments?*', () => {})
    await enterCredentials(email)
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await page.locator('main .loading').first().waitFor()
    expect(await page.getByText('seen-by-the-owner').count()).toBe(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})
