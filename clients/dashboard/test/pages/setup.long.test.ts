import { expect, test } from '@jest/globals'
import {
  button,
  describeDashboard,
  dialog,
  link,
  openPage,
  row,
  section,
  seen,
  signInAs,
  stage,
  takeSecret,
  textbox,
} from './stage.ts'

const DAY_MS = 86_400_000

/** An instant as the fields of the window have it: `2026-11-30T10:48`. */
const inVienna = (at: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Vienna', dateStyle: 'short', timeStyle: 'short' })
    .format(at)
    .replace(' ', 'T')

describeDashboard('everything else that is set up in the dashboard', () => {
  test('an endpoint is added, tried, switched off and on, given another secret, and deleted', async () => {
    const { receiver, stack } = stage
    await signInAs('owner')
    const { page } = stage
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

  test.each([0, 2])(
    'what an endpoint added %d days ago has missed is proposed from then, or from a day ago',
    async (days) => {
      const { receiver, stack } = stage
      const { body } = await stack.post('/webhook-endpoints', { url: `${receiver.url}/added/${days}` })
      const { id, url, created_at } = body.webhook_endpoint
      const addedAt = Date.parse(created_at) - days * DAY_MS
      await stack.database.orm.em
        .fork()
        .execute('update webhook_endpoint set created_at = ? where id = ?', [new Date(addedAt), id])
      await signInAs('owner')
      const begin = () => inVienna(Math.max(addedAt, Date.now() - DAY_MS))
      const earliest = begin()
      await openPage(`/webhooks/${id}`, url)
      await button('More').click()
      await stage.page.getByRole('menuitem', { name: 'Send missed events' }).click()
      const proposed = await dialog().getByLabel('Since').inputValue()
      expect([earliest, proposed, begin()].toSorted()[1]).toBe(proposed)
      await stack.delete(`/webhook-endpoints/${id}`)
    },
  )

  test('rules are corrected, tried on past payments, saved, and gone back from', async () => {
    const { stack } = stage
    await stack.payInvoice({ invoice: { amount: '500.00' } })
    await signInAs('owner')
    const { page } = stage
    await link('Routing rules').click()
    await button('What happens?').click()
    await seen(/^No rules decide: every gateway/, section('Try a payment'))
    expect(await page.getByText(/Rule 1 sends it/).count()).toBe(0)
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
    await seen(/of \d+ would go differently/)
    await seen('Would be refused')
    await row('€500.00').waitFor()
    await seen('rule-1-block', row('€500.00'))
    await textbox('Amount').fill('1000.01')
    await textbox('Currency').fill('EUR')
    await button('What happens?').click()
    await seen('Rule 1 refuses it.')
    await seen(/^This is by the text in the editor, which is not saved/)
    await button('Show rule 1').first().click()
    await textbox('Amount').fill('5')
    await button('What happens?').click()
    await seen(/^Rule 2 sends it to/)
    await link('Gateways').click()
    await page.getByRole('heading', { level: 1, name: 'Gateways' }).waitFor()
    await link('Routing rules').click()
    expect(await text.inputValue()).toBe(of.replace('ammount', 'amount'))
    await seen(/^This text is not saved/)
    await text.fill(`block {\n  condition: amount > 100;\n}\n${of.slice(of.indexOf('route'))}`)
    await button('Try on past payments').click()
    await seen(/^rule-1-block: Amount without a currency: it counts as/)
    await text.fill(of.replace('ammount', 'amount'))
    await page.route('**/dry-run', async (route) => {
      const response = await route.fetch()
      const { dry_run: whole, ...rest } = await response.json()
      await route.fulfill({ response, json: { ...rest, dry_run: { ...whole, is_partial: true } } })
    })
    await button('Try on past payments').click()
    await seen(/^The time was up after \d+ payments?, the newest/)
    await button('Save').click()
    await seen(/The time was up/, dialog())
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
  })

  test('an account at a gateway is added, and switched off without its credentials being told', async () => {
    await signInAs('owner')
    const { stack, page } = stage
    await link('Gateways').click()
    await button('Add an account').click()
    await textbox('Name').fill('Second account')
    await textbox('Hanging in ms').fill('long')
    await button('Add the account').click()
    await seen('Must be a whole number of milliseconds from 0 to 60000.')
    await textbox('Hanging in ms').fill('')
    await textbox('Delay in ms').fill('20')
    await page.getByText('Further settings').click()
    const key = page.getByLabel('Notification key').first()
    await key.fill('short')
    await button('Add the account').click()
    await seen('Is too short')
    // After the page is painted.
    await key.and(page.locator(':focus')).waitFor()
    await key.fill('a key of this account only')
    await button('Add the account').click()
    await page.getByRole('heading', { level: 1, name: 'Second account' }).waitFor()
    await seen('Capture a part', section('What it can do'))
    await seen('Closed', section('Account'))
    await seen('set on', section('Credentials'))
    expect(await page.content()).not.toContain('a key of this account only')
    await button('Change').click()
    await textbox('Delay in ms').fill('')
    await button('Save').click()
    await seen('Defaults', section('Settings'))
    await button('Change').click()
    await page.getByText('Further settings').click()
    await button('Remove it').click()
    await button('Keep it').click()
    await button('Remove it').click()
    await button('Save').click()
    await seen('None are needed', section('Credentials'))
    await button('Switch off').click()
    await button('Switch off', dialog()).click()
    await seen('Switched off')
    const { body } = await stack.get('/gateway-configurations?limit=50')
    const [account] = body.gateway_configurations.filter(({ name }: { name: string }) => name === 'Second account')
    expect(account).toMatchObject({ enabled: false, settings: {}, credentials: {} })
  })

  test('limits are shown over time, and each request with what was sent and answered', async () => {
    const { stack } = stage
    const { body } = await stack.post('/invoices?expand=transaction', { name: 'No amount', currency: 'EUR' })
    await signInAs('owner')
    const { page } = stage
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
    await seen('expand=transaction', section('Request'))
    await seen('"name": "No amount"', section('What was sent'))
    await seen(body.error_type, section('Answer'))
    // The address in the error's answer leads to this request alone, and says so until one wants to see the others.
    await page.goto(body.request_log_url)
    await button(`Remove the filter: Request ${body.request_id}`).waitFor()
    await row(body.error_type).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
    await link('Clear all').click()
    await page.locator('tbody tr').nth(1).waitFor()
    expect((await page.request.get(`${stack.baseUrl}/docs/test-cards`)).status()).toBe(200)
    expect(await link('Test cards').evaluate((one) => (one as unknown as { href: string }).href)).toBe(
      `${stack.baseUrl}/docs/test-cards`,
    )
  })
})
