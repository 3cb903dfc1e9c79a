import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { expect, test } from '@jest/globals'
import { EXPORT_TABLES } from '../../../../src/persistence/queries/exports/export-tables.ts'
import { countAllOperations } from '../../../../test/dashboard/count-operations.ts'
import {
  addressOf,
  attemptsOf,
  button,
  capturedPayment,
  describeDashboard,
  dialog,
  enterCredentials,
  link,
  newWindow,
  openPage,
  openPayment,
  overflowing,
  resize,
  row,
  searchbox,
  section,
  seen,
  signInAnew,
  signInAs,
  stage,
  textbox,
  transactionOf,
} from './stage.ts'

/** Waits until something is read twice within a time, however long the machine stands still between others. */
async function readWithin(path: string, milliseconds: number): Promise<void> {
  let last = Number.NEGATIVE_INFINITY
  for (let reads = 0; reads < 8; reads += 1) {
    await stage.page.waitForRequest(path)
    if (performance.now() - last < milliseconds) return
    last = performance.now()
  }
  throw new Error(`${path} is not read again within ${milliseconds} ms.`)
}

describeDashboard('payments of the dashboard', () => {
  test('the overview tells how to take the first payment, then has volume, approval rate and declines by code', async () => {
    await signInAs('owner')
    const { stack, page } = stage
    await seen('Take the first payment')
    expect(await page.locator('.environment-band').textContent()).toBe('Sandbox Test cards only. No money moves.')
    await capturedPayment()
    await capturedPayment()
    await stack.payInvoice()
    const { id } = await stack.createInvoice()
    const card = await stack.createCard({ name: 'SANDBOX:card.do-not-honor' })
    await stack.post(`/invoices/${id}/authorize`, { source: card.id })
    await countAllOperations(stack.database)
    await page.route('**/dashboard/statistics?*', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      // The last one of the days to which the last 30 are compared.
      body.statistics.captured_amount[29] = '29.00'
      body.statistics.currencies = ['EUR', 'GBP']
      await route.fulfill({ response, json: body })
    })
    await page.reload()
    const tileOf = (title: string) => page.locator('.tile').filter({ hasText: title })
    const tile = (title: string) => tileOf(title).locator('.tile-value').textContent()
    await seen('Approval rate')
    expect([await tile('Captured'), await tile('Approval rate'), await tile('Authorizations')]).toEqual([
      '€58.00',
      '75%',
      '4',
    ])
    await seen('+100% from the 30 days before', tileOf('Captured'))
    await seen('Only EUR is shown. There are payments in GBP, too.')
    await section('Volume').getByText('Show as a table').click()
    await seen('€58.00', section('Volume').getByRole('table'))
    await link('card.do-not-honor').click()
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await row('Declined without a reason').waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    expect(page.url()).toMatch(/created_from=.*&created_to=.*&currency=EUR&error_code=card.do-not-honor$/)
    await page.unrouteAll()
  })

  test('payments are found by their order, filtered by status and amount, and a way back keeps the filter', async () => {
    const { stack } = stage
    const { invoiceId } = await stack.payInvoice({ invoice: { order_id: 'A-1', amount: '17.50' } })
    await stack.payInvoice({ invoice: { order_id: 'A-2', amount: '1234.50', currency: 'USD' } })
    await signInAs('owner')
    const { page } = stage
    await link('Payments').click()
    await row('A-2').waitFor()
    await searchbox('Search payments').fill('a-1')
    await page.keyboard.press('Enter')
    await row('A-2').waitFor({ state: 'detached' })
    await seen('1 payment', section('Payments found'))
    await seen('Requested €17.50', section('Payments found'))
    const download = page.waitForEvent('download')
    await button('Export as CSV').click()
    const [head, ...lines] = (await readFile(await (await download).path(), 'utf8')).split('\r\n')
    expect([head?.slice(1, 11), lines.length, lines[0]?.includes(invoiceId)]).toEqual(['invoice_id', 2, true])
    await button('Columns').click()
    await page.getByLabel('Card').uncheck()
    await page.getByLabel('Net').check()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('columnheader', { name: 'Net' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Card' }).count()).toBe(0)
    expect(await row('A-1').getByText('Authorized').count()).toBe(1)
    // A row as far down as those of a long list, further than the page of a payment is high.
    await page.evaluate("document.styleSheets[0].insertRule('table { margin-top: 4000px }')")
    await page.getByRole('link', { name: '€17.50' }).click()
    await page.getByRole('heading', { level: 1, name: '€17.50' }).waitFor()
    expect(await page.evaluate('scrollY')).toBe(0)
    await page.goBack()
    await stack.waitFor(async () => Number(await page.evaluate('scrollY')) > 3000)
    // Also from another filter of the same list.
    await page.evaluate("location.hash += '&currency=USD'")
    await button('Remove the filter: USD').waitFor()
    await page.evaluate('scrollTo(0, 0)')
    await page.goBack()
    await stack.waitFor(async () => Number(await page.evaluate('scrollY')) > 3000)
    await page.getByRole('link', { name: '€17.50' }).click()
    await page.getByRole('heading', { level: 1, name: '€17.50' }).waitFor()
    expect(page.url()).toBe(addressOf(`/payments/${invoiceId}`))
    await page.locator('main').getByRole('link', { name: 'Payments' }).click()
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    expect(await searchbox('Search payments').inputValue()).toBe('a-1')
    await button(/Remove the filter: “.?a-1.?”/).click()
    await row('A-2').waitFor()
    await button(/^Created: newest first/).click()
    await page
      .getByRole('columnheader', { name: 'Created', exact: false })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor()
    await button('Filters').click()
    await textbox('Currency').fill('usd')
    await page.keyboard.press('Enter')
    await row('A-1').waitFor({ state: 'detached' })
    await textbox('Amount from').fill('2000')
    await page.keyboard.press('Enter')
    await seen(/^No payment matches USD · from/)
    // An amount goes with its currency, and comes with the project's own.
    await button('Remove the filter: USD').click()
    await row('A-1').waitFor()
    // The list was read before, and is there before the field is emptied.
    await stack.waitFor(async () => (await textbox('Amount from').inputValue()) === '')
    await textbox('Amount from').fill('1,0')
    await page.keyboard.press('Enter')
    await seen(/^Enter an amount such as/)
    await textbox('Amount from').fill('1000')
    await page.keyboard.press('Enter')
    await row('A-1').waitFor({ state: 'detached' })
    await button('Remove the filter: USD').waitFor()
    await row('A-2').waitFor()
    await page.getByRole('combobox', { name: 'Error code' }).fill('funds')
    await page.getByRole('option', { name: 'Insufficient funds (card.no-money)' }).click()
    await seen(/^No payment matches USD · from .* · Insufficient funds/)
    await openPage('/payments?search=1234.50', 'Payments')
    await link(/^payments of .*1,234\.50$/).click()
    await row('A-2').waitFor()
    await openPage('/payments?needs_attention=true', 'Payments')
    await seen('No payment needs attention')
    await link('a page of their own').waitFor()
  })

  test('a part is captured after a question that names the amount, once, however often it is pressed', async () => {
    const { invoiceId } = await stage.stack.payInvoice()
    await signInAs('owner')
    await openPayment(invoiceId)
    await button('Capture').click()
    await seen('Sandbox: no real money moves.', dialog())
    await textbox(/Amount in EUR/).fill('290')
    await seen('At most €29.00.', dialog())
    expect(await button('Capture …').isDisabled()).toBe(true)
    await textbox(/Amount in EUR/).fill('10')
    await stage.page.getByLabel('Keep the rest reserved').check()
    expect(await attemptsOf(invoiceId, 'capture')).toEqual([])
    await button('Capture €10.00').dblclick()
    await dialog().waitFor({ state: 'detached' })
    await seen('Captured €10.00')
    await stage.page.getByRole('heading', { level: 1, name: /€10\.00 of €29\.00.*Partly captured/ }).waitFor()
    expect(await transactionOf(invoiceId)).toMatchObject({ captured_amount: '10.00', authorized_amount: '29.00' })
    expect(await attemptsOf(invoiceId, 'capture')).toHaveLength(1)
    await seen('Person', section('Timeline').getByRole('listitem').filter({ hasText: 'Captured €10.00' }))
  })

  // The button, what is typed, what the question says then, its own button, and what becomes of the payment.
  test.each([
    ['Capture', '10', 'Otherwise €19.00 are released.', '€10.00', { captured_amount: '10.00', voided_amount: '19.00' }],
    [
      'Capture',
      '1000',
      'Otherwise JP¥1,900 are released.',
      'JP¥1,000',
      { captured_amount: '1000', voided_amount: '1900' },
    ],
    ['Void', '9', '€20.00 stay reserved.', '€9.00', { status: 'authorized', voided_amount: '9.00' }],
    ['Void', null, /^€29\.00 are released/, '€29.00', { status: 'voided', voided_amount: '29.00' }],
  ] as const)('%s, with %p typed, says "%s" before it is done', async (name, typed, words, amount, expected) => {
    const invoice = amount.startsWith('JP¥') ? { amount: '2900', currency: 'JPY' } : {}
    const { invoiceId } = await stage.stack.payInvoice({ invoice })
    await signInAs('owner')
    await openPayment(invoiceId, amount.startsWith('JP¥') ? /¥2,900/ : undefined)
    await seen(/What is reserved is released in/, section('Amounts'))
    await button(name).click()
    if (typed !== null) await textbox(/Amount in/).fill(typed)
    await seen(words, dialog())
    await button(`${name} ${amount}`).click()
    await dialog().waitFor({ state: 'detached' })
    expect(await transactionOf(invoiceId)).toMatchObject(expected)
    // Where something stays reserved, its end is told; where nothing does, no more.
    const state = expected === undefined || 'captured_amount' in expected || typed === null ? 'detached' : 'visible'
    await section('Amounts').getByText('What is reserved is released').waitFor({ state })
  })

  test('a capture is scheduled for a later time, and the schedule dropped', async () => {
    const { invoiceId } = await stage.stack.payInvoice()
    await signInAs('owner')
    await openPayment(invoiceId)
    await button('Capture').click()
    await textbox(/Amount in EUR/).fill('10')
    await dialog().getByLabel('When').selectOption('later')
    const at = await stage.page.evaluate(() =>
      new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 86_400_000).toISOString(),
    )
    const local = await stage.page.evaluate((iso) => {
      const date = new Date(iso)
      return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
    }, at)
    await dialog().getByLabel(/^Time/).fill(local)
    await button('Schedule the capture of €10.00').click()
    await seen('Scheduled capture of €10.00')
    const scheduled = {
      status: 'authorized',
      captured_amount: '0.00',
      auto_capture_amount: '10.00',
      auto_capture_at: at,
    }
    expect(await transactionOf(invoiceId)).toMatchObject(scheduled)
    await button('Capture').click()
    await dialog().getByLabel('When').selectOption('never')
    await button('Drop the schedule').click()
    await dialog().waitFor({ state: 'detached' })
    expect(await transactionOf(invoiceId)).toMatchObject({ auto_capture_at: null, captured_amount: '0.00' })
  })

  test('what is refunded is named with its reason, and stands in the list of refunds', async () => {
    const captured = await capturedPayment()
    await signInAs('owner')
    await openPayment(captured)
    await button('Refund').click()
    await textbox(/Amount in EUR/).fill('4.5')
    await dialog().getByLabel('Reason').selectOption('fraud')
    await button('Refund €4.50').click()
    await seen('Partly refunded', stage.page.getByRole('heading', { level: 1 }))
    expect((await transactionOf(captured)).refunds).toMatchObject([{ amount: '4.50', reason: 'fraud' }])
    await seen('Fraud', section('Refunds'))
  })

  test('a payment that waits for its customer promises no capture, and can be voided', async () => {
    const { stack } = stage
    const { id } = await stack.createInvoice()
    const card = await stack.createCard({ number: '4000000000000101' })
    await stack.post(`/invoices/${id}/capture`, { source: card.id })
    await signInAs('owner')
    await openPayment(id)
    await seen('End of the time in which the customer can confirm the payment with the bank')
    expect(await section('Amounts').textContent()).not.toContain('will be captured')
    await button('Void').click()
    await seen(/^The customer has not confirmed the payment/, dialog())
    await button('Void €29.00').click()
    await dialog().waitFor({ state: 'detached' })
    expect(await transactionOf(id)).toMatchObject({ status: 'voided' })
  })

  test('what is in a refund that is under way is not offered a second time', async () => {
    const { stack } = stage
    const { invoiceId } = await stack.payInvoice({ card: { name: 'SANDBOX:refund-never-resolved' } })
    await stack.post(`/invoices/${invoiceId}/capture`)
    await stack.post(`/invoices/${invoiceId}/refunds`, { amount: '9.00' })
    await signInAs('owner')
    await openPayment(invoiceId)
    await button('Refund').click()
    await seen('€20.00 can be refunded.', dialog())
    await seen('At most €20.00.', dialog())
    // Its outcome may come at any moment; of what rests, the page is read three times a minute.
    for (const path of [`**/invoices/${invoiceId}?*`, `**/dashboard/payments/${invoiceId}`])
      await readWithin(path, 10_000)
  })

  test('a capture that the gateway declines is told, with what to do, and can be asked for again', async () => {
    const { invoiceId } = await stage.stack.payInvoice({ card: { name: 'SANDBOX:capture:card.no-money' } })
    await signInAs('owner')
    await openPayment(invoiceId)
    await button('Capture').click()
    for (const times of [1, 2]) {
      await button('Capture €29.00').click()
      await seen('Declined', dialog().getByRole('alert'))
      await expect(attemptsOf(invoiceId, 'capture')).resolves.toHaveLength(times)
    }
  })

  test('an answer that was lost is asked for with the same key, so that the money moves once', async () => {
    const invoiceId = await capturedPayment()
    await signInAs('owner')
    await openPayment(invoiceId)
    let lost = 0
    await stage.page.route('**/refunds', async (route) => {
      await route.fetch()
      lost += 1
      await (lost === 1 ? route.abort() : route.continue())
    })
    await button('Refund').click()
    await textbox(/Amount in EUR/).fill('3.00')
    await button('Refund €3.00').click()
    await seen('No connection', dialog())
    await button('Refund €3.00').click()
    await dialog().waitFor({ state: 'detached' })
    expect((await transactionOf(invoiceId)).refunded_amount).toBe('3.00')
    await stage.page.unrouteAll()
  })

  test('the attempts of a webhook are shown, and it is sent again', async () => {
    const { stack, receiver } = stage
    receiver.answerWith((response) => response.writeHead(500).end('{"error":"database is away"}'), 200)
    const url = `${receiver.url}/${'webhooks'.repeat(12)}`
    await stack.post('/webhook-endpoints', { url, events_whitelist: ['transaction.voided'] })
    const { invoiceId } = await stack.payInvoice()
    await stack.post(`/invoices/${invoiceId}/void`)
    await receiver.waitForCount(2)
    await signInAs('owner')
    await openPayment(invoiceId)
    const webhook = section('Timeline').getByRole('listitem').filter({ hasText: 'transaction.voided' })
    await webhook.getByRole('button', { name: 'Webhooks: 1 delivered' }).click()
    await seen('{"error":"database is away"}', webhook)
    await seen('retry 1', webhook)
    await resize('phone')
    expect(await overflowing()).toEqual([])
    await resize('wide')
    await button('Send again', webhook).click()
    await receiver.waitForCount(3)
    await seen('sent again (1)', webhook)
    expect(JSON.parse(receiver.received[2]?.body ?? '')).toMatchObject({ event_type: 'transaction.voided' })
  })

  test('a webhook that fails is seen at its payment, among those not delivered, at its endpoint and on the overview', async () => {
    const { stack, receiver } = stage
    receiver.answerWith(500)
    const { body } = await stack.post('/webhook-endpoints', {
      url: receiver.url,
      events_whitelist: ['invoice.expired'],
    })
    const { webhook_endpoint: endpoint } = body
    const own = `${receiver.url}/own`
    const { invoiceId } = await stack.payInvoice({ invoice: { webhook_url: own, name: 'Moka pot' } })
    await stack.post(`/webhook-endpoints/${endpoint.id}/test`)
    await receiver.waitForCount(receiver.received.length + 3)
    await signInAs('owner')
    await openPayment(invoiceId)
    await seen(/1 retrying \(\d+ tr(y|ies) failed\)/, section('Timeline'))
    await openPage('', 'Overview')
    await seen('A webhook endpoint accepts nothing')
    const menu = stage.page.getByRole('navigation')
    await menu.getByRole('img', { name: '3 webhooks not delivered' }).waitFor()
    await link('3 webhooks not delivered').click()
    const list = section('Not delivered')
    const authorized = list.getByRole('row').filter({ hasText: 'transaction.authorized' })
    for (const words of [
      'The issuer reserved the money.',
      own,
      'The payment’s own address',
      /\d+ of 13 tries failed/,
      '500',
    ])
      await seen(words, authorized)
    await seen(/given up by/, authorized)
    await list
      .getByRole('row')
      .filter({ hasText: 'webhook-endpoint.test' })
      .getByRole('link', { name: 'Webhook endpoint' })
      .waitFor()
    await button('Send again', authorized).click()
    await seen('It was sent again, and not accepted. The answer was 500.')
    await seen(/\d of 13 tries failed since it was sent again/, authorized)
    // Not before the button is pressed: a try that is due by itself would be accepted, and the row gone with its button.
    const kept: ServerResponse[] = []
    receiver.answerWith((response) => kept.push(response))
    await button('Send again', authorized).click()
    receiver.answerWith(200)
    for (const response of kept) response.writeHead(200).end()
    await seen('It was sent again, and accepted.')
    await authorized.waitFor({ state: 'detached' })
    await stage.page.getByText('Given up', { exact: true }).click()
    await seen('None was given up', list)
    receiver.answerWith(500)
    await stack.post(`/webhook-endpoints/${endpoint.id}/test`)
    await openPage('', 'Overview')
    await link(receiver.url).click()
    await seen(/\d+ of 13 tries failed/, section('Webhooks'))
    await stage.page.getByText('Given up', { exact: true }).click()
    await seen('None was given up.')
    await stack.delete(`/webhook-endpoints/${endpoint.id}`)
    receiver.answerWith(200)
  })

  test('a session that is over leads to signing in, and from there to the same page', async () => {
    const invoiceId = await capturedPayment()
    await newWindow()
    const { id, email } = await signInAnew('owner')
    const { page, context, stack } = stage
    await openPage('/payments?q=Ada', 'Payments')
    await openPayment(invoiceId)
    const wayBack = page.getByRole('main').getByRole('link', { name: 'Payments', exact: true })
    expect(await wayBack.getAttribute('href')).toMatch(/payments\?q=Ada$/)
    // At the last moment: the page reads by itself, and whoever is signed out by that sees no button.
    await page.route('**/refunds', async (route) => {
      await stack.database.orm.em.fork().execute('delete from person_session where person_id = ?', [id])
      await route.continue()
    })
    await button('Refund').click()
    await button('Refund €29.00').click()
    await seen('You were signed out')
    expect(await page.getByText('€29.00').count()).toBe(0)
    await enterCredentials(email)
    await page.getByRole('heading', { level: 1, name: /€29\.00/ }).waitFor()
    // The next person sees nothing of what was searched.
    expect(await wayBack.getAttribute('href')).toMatch(/payments$/)
    await button(/account and appearance/).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    // What is left tells that this browser is known, and lets nobody in.
    expect((await context.cookies()).map(({ name }) => name)).toEqual([expect.stringMatching(/known/)])
  })

  test('a table of days of UTC is downloaded as CSV, and a refusal is said', async () => {
    await signInAs('owner')
    await openPage('/books', 'Books')
    const { page } = stage
    await button('Export as CSV').click()
    const [from, to] = [dialog().getByLabel(/^From/), dialog().getByLabel(/^To/)]
    await dialog().getByLabel('What').selectOption('refunds')
    await from.fill('2026-10-01')
    await to.fill('2026-11-30')
    await page.route('**/exports/**', (route) => route.abort())
    await button('Download').click()
    await seen('The service cannot be reached.', dialog())
    await page.unroute('**/exports/**')
    const download = page.waitForEvent('download')
    const asked = page.waitForRequest('**/exports/**')
    await button('Download').click()
    const file = await download
    await seen('refunds-2026-10-01-2026-11-30.csv was downloaded.')
    expect(file.suggestedFilename()).toBe('refunds-2026-10-01-2026-11-30.csv')
    const { searchParams } = new URL((await asked).url())
    expect([...searchParams.values()]).toEqual(['2026-10-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'])
    const [head] = (await readFile(await file.path(), 'utf8')).split('\r\n')
    expect(head).toBe(`\uFEFF${EXPORT_TABLES.refunds.columns.map(({ name }) => name).join(',')}`)
    await dialog().waitFor({ state: 'detached' })
  })
})
