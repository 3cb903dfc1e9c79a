import { expect, test } from '@jest/globals'
import { createHttpClient } from '../support/http-client.ts'
import {
  addressOf,
  button,
  describeDashboard,
  dialog,
  enterCredentials,
  link,
  newWindow,
  openPage,
  projectId,
  row,
  section,
  seen,
  signInAs,
  stage,
  textbox,
} from './dashboard-stage.ts'

/** Reads the secret that is shown this once, and closes what shows it. */
async function takeSecret(label: string): Promise<string> {
  const secret = await textbox(label).inputValue()
  await stage.page.keyboard.press('Escape')
  expect(await dialog().count()).toBe(1)
  await button('I have copied it').click()
  await dialog().waitFor({ state: 'detached' })
  expect(await stage.page.content()).not.toContain(secret)
  return secret
}

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

describeDashboard('what is set up in the dashboard', () => {
  test('an endpoint is added, tried, switched off and on, given another secret, and deleted', async () => {
    const { receiver, stack, page } = stage
    await signInAs('developer')
    await link('Webhooks').click()
    await seen('No endpoints yet')
    await button('Add an endpoint').click()
    await textbox('Address').fill(receiver.url)
    await dialog().getByRole('combobox').or(textbox('Events')).first().fill('captured')
    await page.getByRole('option', { name: /transaction\.captured/ }).click()
    await page.keyboard.press('Escape')
    await button('Add the endpoint').click()
    expect(await takeSecret('Signing secret')).toMatch(/^whsec_/)
    await page.getByRole('link', { name: receiver.url }).click()
    await seen('transaction.captured', section('Endpoint'))
    await button('Send a test').click()
    await receiver.waitForCount(1)
    await seen('Delivered', row('webhook-endpoint.test'))
    await button('Switch off').click()
    await button('Switch off', dialog()).click()
    await seen('Nothing is sent there')
    await button('Switch on').click()
    await button('Switch on', dialog()).click()
    await button('Send a test').waitFor()
    await button('More').click()
    await page.getByRole('menuitem', { name: 'Rotate the secret' }).click()
    await button('Make a new secret').click()
    expect(await takeSecret('Signing secret')).toMatch(/^whsec_/)
    await button('More').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await button('Delete for good').click()
    await seen('No endpoints yet')
    expect((await stack.get('/webhook-endpoints')).body.count).toBe(0)
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

  test('rules are corrected, tried on past payments, saved, and gone back from', async () => {
    const { stack, page } = stage
    await stack.payInvoice({ invoice: { amount: '500.00' } })
    await signInAs('developer')
    await link('Routing rules').click()
    const text = textbox('The text of the rules')
    const [gateway] = (await stack.get('/gateway-configurations')).body.gateway_configurations
    await text.fill(`route {\n  gateways: ${gateway.id};\n}`)
    await button('Save').click()
    await button('Save and activate').click()
    await seen('Version 1 is active.')
    const blocking = 'block {\n  condition: currency == EUR AND ammount > 100;\n}\n'
    await text.fill(`${blocking}\nroute {\n  gateways: ${gateway.id};\n}`)
    await button('Try on past payments').click()
    await button(/Line 2, column \d+: .*did you mean amount/).click()
    const { start, of } = await text.evaluate((area: unknown) => {
      const { selectionStart, value } = area as { selectionStart: number; value: string }
      return { start: selectionStart, of: value }
    })
    expect(of.slice(start)).toMatch(/^ammount/)
    await text.fill(of.replace('ammount', 'amount'))
    await button('Try on past payments').click()
    await seen(/of \d+ would be decided otherwise/)
    await row('€500.00').waitFor()
    await seen('rule-1-block', row('€500.00'))
    await button('Save').click()
    await button('Save and activate').click()
    await seen('Version 2 is active.')
    const { id } = await stack.createInvoice({ amount: '500.00' })
    const source = (await stack.createCard()).id
    expect((await stack.post(`/invoices/${id}/authorize`, { source })).body.error_type).toBe(
      'routing-rules.transaction-blocked',
    )
    await button('Activate', row('Version 1')).click()
    await button('Activate version 1').click()
    await seen('Version 1 is active.')
    expect(await text.inputValue()).not.toContain('block')
    await button('Turn the rules off').click()
    await button('Turn off').click()
    await seen('No rules decide:')
    expect((await stack.get('/routing-rules')).body.rule_set).toBeNull()
    await page.keyboard.press('Escape')
  })

  test('an account at a gateway is added, and switched off without its credentials being told', async () => {
    const { stack, page } = stage
    await signInAs('owner')
    await link('Gateways').click()
    await button('Add an account').click()
    await textbox('Name').fill('Second account')
    await page.getByLabel('notification_key').first().fill('a key of this account only')
    await textbox('delay_ms').fill('20')
    await button('Add the account').click()
    await page.getByRole('heading', { level: 1, name: 'Second account' }).waitFor()
    await seen('Capture a part', section('What it can do'))
    await seen('Closed', section('Account'))
    await seen('set on', section('Credentials'))
    expect(await page.content()).not.toContain('a key of this account only')
    await button('Change').click()
    await textbox('delay_ms').fill('')
    await button('Save').click()
    await seen('Defaults', section('Settings'))
    await button('Switch off').click()
    await button('Switch off', dialog()).click()
    await seen('Switched off')
    const { body } = await stack.get('/gateway-configurations?limit=50')
    const [account] = body.gateway_configurations.filter(({ name }: { name: string }) => name === 'Second account')
    expect(account).toMatchObject({ enabled: false, settings: {}, credentials: { notification_key: {} } })
  })

  test('limits are shown over time, and each request with what was sent and answered', async () => {
    const { stack, page } = stage
    const { body } = await stack.post('/invoices', { name: 'No amount', currency: 'EUR' })
    await signInAs('support')
    await link('Rate limits').click()
    await seen('left now', section('Sandbox'))
    await section('Sandbox').getByText('Show as a table').click()
    await section('Sandbox').getByRole('row').nth(60).waitFor()
    expect(await section('Sandbox').getByRole('row').count()).toBe(61)
    // The log is written some moments after the answer, and the page reads it once.
    const refused = `/api-requests?filter=request_id:${body.request_id}`
    await stack.waitFor(async () => (await stack.get(refused)).body.count === 1)
    await link('Request log').click()
    await page.getByLabel('Answer').selectOption('refused')
    await textbox('Error').fill(body.error_type)
    await page.keyboard.press('Enter')
    await row(body.error_type).getByRole('link').click()
    await seen(body.request_id)
    await seen('"name": "No amount"', section('What was sent'))
    await seen(body.error_type, section('What was answered'))
  })

  test('an owner adds a person, who signs in and sees no button that support may not press', async () => {
    const { stack, page } = stage
    const { invoiceId } = await stack.payInvoice()
    await stack.post('/webhook-endpoints', { url: `${stage.receiver.url}/support` })
    const [endpoint] = (await stack.get('/webhook-endpoints')).body.webhook_endpoints
    const [gateway] = (await stack.get('/gateway-configurations')).body.gateway_configurations
    await signInAs('owner')
    await link('People').click()
    await button('Add a person').click()
    await textbox('Name').fill('Sam Example')
    await textbox('Email').fill('sam@example.com')
    await button('Add').click()
    const password = await takeSecret('First password')
    await button('Change role', row('sam@example.com')).click()
    await page.getByRole('radio', { name: 'Developer' }).check()
    await button('Change the role').click()
    await seen('Developer', row('sam@example.com'))
    await button('Change role', row('sam@example.com')).click()
    await page.getByRole('radio', { name: 'Support' }).check()
    await button('Change the role').click()
    await seen('Support', row('sam@example.com'))
    await newWindow()
    await stage.page.goto(addressOf())
    await enterCredentials('sam@example.com', password)
    await textbox('Current password').fill(password)
    await stage.page.getByLabel('New password', { exact: false }).nth(0).fill('sam has a long one')
    await textbox('New password again').fill('sam has a long one')
    await button('Change password').click()
    await stage.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(await link('People').count()).toBe(0)
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
      payments: ['Filters', 'Search'],
      payment: ['No webhook'],
      webhooks: [],
      endpoint: ['Read again'],
      keys: [],
      routing: ['Text', 'Try on past payments'],
      gateways: [],
      gateway: [],
      people: [],
    })
  })

  test('live is another colour and has data of its own; a developer creates no key there', async () => {
    const { page } = stage
    await signInAs('developer')
    await openPage('/api-keys', 'API keys')
    await button('Create a key').waitFor()
    const colour = () => page.evaluate("getComputedStyle(document.querySelector('.environment-band')).backgroundColor")
    const sandbox = await colour()
    await page.locator('.environment-switch').getByText('Live').click()
    await seen('Real cards, real money.')
    expect(page.url()).toBe(`${stage.stack.baseUrl}/dashboard/#/${projectId({ live: true })}/api-keys`)
    await seen('No keys yet')
    expect(await button('Create a key').count()).toBe(0)
    expect(await colour()).not.toBe(sandbox)
    await link('Payments').click()
    await seen('No payments yet')
  })
})
