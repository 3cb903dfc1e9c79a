import { expect, test } from '@jest/globals'
import { PASSWORD } from '../http/dashboard/browser.ts'
import { countAll } from '../http/dashboard/count-all.ts'
import {
  addressOf,
  button,
  describeDashboard,
  dialog,
  enterCredentials,
  link,
  newAccount,
  newWindow,
  openPage,
  row,
  section,
  seen,
  signInAs,
  stage,
  textbox,
} from './dashboard-stage.ts'

/** Of the merchant's transaction, as the interface tells it now. */
async function transactionOf(invoiceId: string) {
  const { body } = await stage.stack.get(`/invoices/${invoiceId}?expand=transaction.operations,transaction.refunds`)
  return body.invoice.transaction
}

const attemptsOf = async (invoiceId: string, type: string) =>
  (await transactionOf(invoiceId)).operations.filter(
    (operation: { type: string; is_attempt: boolean }) => operation.type === type && operation.is_attempt,
  )

/** A captured payment of 29.00 EUR. */
async function capturedPayment(fields: object = {}): Promise<string> {
  const { invoiceId } = await stage.stack.payInvoice({ invoice: { order_id: 'captured', ...fields } })
  await stage.stack.post(`/invoices/${invoiceId}/capture`)
  return invoiceId
}

describeDashboard('payments of the dashboard', () => {
  test('a new person signs in, chooses a password, and is told how to take the first payment', async () => {
    const { page, stack } = stage
    const { email } = await newAccount('owner')
    await stack.database.orm.em.fork().execute('update person set must_change_password = true where email = ?', [email])
    await page.goto(`${stack.baseUrl}/dashboard/`)
    await enterCredentials(email, 'not the password')
    await seen(/wrong|refused|do not match/i, page.getByRole('alert'))
    await enterCredentials(email)
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor()
    await textbox('Current password').fill(PASSWORD)
    await page
      .getByLabel(/^New password \*?$/)
      .or(textbox('New password'))
      .first()
      .fill('a wholly different one')
    await textbox('New password again').fill('a different one')
    await button('Change password').click()
    await seen('The two are not the same.')
    await textbox('New password again').fill('a wholly different one')
    await button('Change password').click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await seen('Take the first payment')
    expect(await page.locator('.environment-band').textContent()).toBe('Sandbox Test cards only. No money moves.')
    expect(page.url()).toBe(addressOf())
  })

  test('the overview has volume, approval rate and declines by code', async () => {
    const { stack, page } = stage
    await capturedPayment()
    await capturedPayment()
    await stack.payInvoice()
    const { id } = await stack.createInvoice()
    const card = await stack.createCard({ name: 'SANDBOX:card.do-not-honor' })
    await stack.post(`/invoices/${id}/authorize`, { source: card.id })
    await countAll(stack.database)
    await page.route('**/dashboard/statistics?*', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      // The last one of the days to which the last 30 are compared.
      body.statistics.captured_amount[29] = '29.00'
      await route.fulfill({ response, json: body })
    })
    await signInAs('support')
    const tileOf = (title: string) => page.locator('.tile').filter({ hasText: title })
    const tile = (title: string) => tileOf(title).locator('.tile-value').textContent()
    await seen('Approval rate')
    expect([await tile('Captured'), await tile('Approval rate'), await tile('Authorizations')]).toEqual([
      '€58.00',
      '75%',
      '4',
    ])
    await seen('+100% to the 30 days before', tileOf('Captured'))
    await section('Volume').getByText('Show as a table').click()
    await seen('€58.00', section('Volume').getByRole('table'))
    await link('card.do-not-honor').click()
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await row('Do not honor').waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
  })

  test('payments are found by their order, filtered by status and amount, and a way back keeps the filter', async () => {
    const { stack, page } = stage
    const { invoiceId } = await stack.payInvoice({ invoice: { order_id: 'A-1', amount: '17.50' } })
    await stack.payInvoice({ invoice: { order_id: 'A-2', amount: '1234.50', currency: 'USD' } })
    await signInAs('support')
    await link('Payments').click()
    await row('A-2').waitFor()
    await textbox('Search payments').fill('A-1')
    await page.keyboard.press('Enter')
    await row('A-2').waitFor({ state: 'detached' })
    expect(await row('A-1').getByText('Authorized').count()).toBe(1)
    await page.getByRole('link', { name: '€17.50' }).click()
    await page.getByRole('heading', { level: 1, name: '€17.50' }).waitFor()
    expect(page.url()).toBe(addressOf(`/payments/${invoiceId}`))
    await page.goBack()
    expect(await textbox('Search payments').inputValue()).toBe('A-1')
    await button('Remove the filter: “A-1”').click()
    await row('A-2').waitFor()
    await button('Filters').click()
    await textbox('Currency').fill('usd')
    await page.keyboard.press('Enter')
    await row('A-1').waitFor({ state: 'detached' })
    await textbox('Amount from').fill('2000')
    await page.keyboard.press('Enter')
    await seen('No payment matches')
  })

  test('a part is captured after a question that names the amount, once, however often it is pressed', async () => {
    const { stack, page } = stage
    const { invoiceId } = await stack.payInvoice()
    await signInAs('developer')
    await openPage(`/payments/${invoiceId}`, /€29\.00/)
    await button('Capture').click()
    await seen('Sandbox: no real money moves.', dialog())
    await textbox(/Amount in EUR/).fill('290')
    await seen('At most €29.00.', dialog())
    expect(await button('Capture …').isDisabled()).toBe(true)
    await textbox(/Amount in EUR/).fill('10')
    await page.getByLabel('Keep the rest reserved').check()
    expect(await attemptsOf(invoiceId, 'capture')).toEqual([])
    await button('Capture €10.00').dblclick()
    await dialog().waitFor({ state: 'detached' })
    await seen('Captured 10.00 EUR')
    expect(await transactionOf(invoiceId)).toMatchObject({ captured_amount: '10.00', authorized_amount: '29.00' })
    expect(await attemptsOf(invoiceId, 'capture')).toHaveLength(1)
    await seen('Person', section('Timeline').getByRole('listitem').filter({ hasText: 'Captured 10.00 EUR' }))
  })

  test('what is refunded and voided is named, and stands in the timeline', async () => {
    const { stack } = stage
    const captured = await capturedPayment()
    const { invoiceId: reserved } = await stack.payInvoice()
    await signInAs('owner')
    await openPage(`/payments/${captured}`, /€29\.00/)
    await button('Refund').click()
    await textbox(/Amount in EUR/).fill('4.5')
    await dialog().getByLabel('Reason').selectOption('fraud')
    await button('Refund €4.50').click()
    await seen('Partly refunded', stage.page.getByRole('heading', { level: 1 }))
    expect((await transactionOf(captured)).refunds).toMatchObject([{ amount: '4.50', reason: 'fraud' }])
    await seen('Fraud', section('Refunds'))
    await openPage(`/payments/${reserved}`, /€29\.00/)
    await button('Void').click()
    await button('Void €29.00').click()
    await seen('Voided', stage.page.getByRole('heading', { level: 1 }))
    expect(await transactionOf(reserved)).toMatchObject({ status: 'voided', voided_amount: '29.00' })
  })

  test('a part is captured, and the rest is released as the question says', async () => {
    const { invoiceId } = await stage.stack.payInvoice()
    await signInAs('owner')
    await openPage(`/payments/${invoiceId}`, /€29\.00/)
    await button('Capture').click()
    await textbox(/Amount in EUR/).fill('10')
    await seen('Otherwise €19.00 are released.', dialog())
    await seen(/What is reserved is released in/, section('Amounts'))
    await button('Capture €10.00').click()
    await dialog().waitFor({ state: 'detached' })
    expect(await transactionOf(invoiceId)).toMatchObject({ captured_amount: '10.00', voided_amount: '19.00' })
    await section('Amounts').getByText('What is reserved is released').waitFor({ state: 'detached' })
  })

  test('an amount in a currency without decimals is written and captured in whole units', async () => {
    const { invoiceId } = await stage.stack.payInvoice({ invoice: { amount: '2900', currency: 'JPY' } })
    await signInAs('owner')
    await openPage(`/payments/${invoiceId}`, /¥2,900/)
    await button('Capture').click()
    await button('Capture JP¥2,900').waitFor()
    await textbox(/Amount in JPY/).fill('1000')
    await button('Capture JP¥1,000').click()
    await dialog().waitFor({ state: 'detached' })
    expect(await transactionOf(invoiceId)).toMatchObject({ captured_amount: '1000', voided_amount: '1900' })
  })

  test('a part is voided where a part was asked for, and the rest stays reserved', async () => {
    const { invoiceId } = await stage.stack.payInvoice()
    await signInAs('owner')
    await openPage(`/payments/${invoiceId}`, /€29\.00/)
    await button('Void').click()
    await textbox(/Amount in EUR/).fill('9')
    await seen('€20.00 stay reserved.', dialog())
    await button('Void €9.00').click()
    await dialog().waitFor({ state: 'detached' })
    expect(await transactionOf(invoiceId)).toMatchObject({ status: 'authorized', voided_amount: '9.00' })
  })

  test('amounts of many digits stand beside one another, and a currency is named once', async () => {
    const { invoiceId } = await stage.stack.payInvoice({ invoice: { amount: '12345678.500', currency: 'KWD' } })
    await signInAs('owner')
    await openPage(`/payments/${invoiceId}`, /^KWD.12,345,678\.500 ?Authorized$/)
    const widths = await stage.page.evaluate(
      '[...document.querySelectorAll(".amounts dd")].map((cell) => [cell.clientWidth, cell.scrollWidth])',
    )
    for (const [room, needed] of widths as number[][]) expect(room).toBeGreaterThanOrEqual(needed as number)
  })

  test('a long name and a long order are cut off before the next column', async () => {
    const name = 'Donaudampfschifffahrtsgesellschaftskapitän'
    await stage.stack.payInvoice({ invoice: { name, order_id: 'O'.repeat(64), amount: '11111111111.99' } })
    await newWindow({ viewport: { width: 1000, height: 900 } })
    await signInAs('owner')
    await openPage('/payments', 'Payments')
    await seen(name)
    const overlapping = await stage.page.evaluate(
      '[...document.querySelectorAll("td .truncate")].filter((cut) => cut.getBoundingClientRect().right > cut.closest("td").getBoundingClientRect().right).length',
    )
    expect(overlapping).toBe(0)
  })

  test('a payment that waits for its customer promises no capture, and can be voided', async () => {
    const { stack } = stage
    const { id } = await stack.createInvoice()
    const card = await stack.createCard({ number: '4000000000000101' })
    await stack.post(`/invoices/${id}/capture`, { source: card.id })
    await signInAs('owner')
    await openPage(`/payments/${id}`, /€29\.00/)
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
    await openPage(`/payments/${invoiceId}`, /€29\.00/)
    await button('Refund').click()
    await seen('€20.00 can be refunded.', dialog())
    await seen('At most €20.00.', dialog())
  })

  test('a capture that the gateway declines is told, with what to do, and can be asked for again', async () => {
    const { invoiceId } = await stage.stack.payInvoice({ card: { name: 'SANDBOX:capture:card.no-money' } })
    await signInAs('owner')
    await openPage(`/payments/${invoiceId}`, /€29\.00/)
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
    await openPage(`/payments/${invoiceId}`, /€29\.00/)
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
  })

  test('the attempts of a webhook are shown, and it is sent again', async () => {
    const { stack, receiver, page } = stage
    receiver.answerWith((response) => response.writeHead(500).end('{"error":"database is away"}'), 200)
    await stack.post('/webhook-endpoints', { url: receiver.url, events_whitelist: ['transaction.voided'] })
    const { invoiceId } = await stack.payInvoice()
    await stack.post(`/invoices/${invoiceId}/void`)
    await receiver.waitForCount(2)
    await signInAs('owner')
    await openPage(`/payments/${invoiceId}`, /€29\.00/)
    const webhook = section('Timeline').getByRole('listitem').filter({ hasText: 'transaction.voided' })
    await webhook.getByRole('button', { name: 'Webhooks: 1 delivered' }).click()
    await seen('{"error":"database is away"}', webhook)
    await seen('retry 1', webhook)
    await button('Send again', webhook).click()
    await receiver.waitForCount(3)
    await seen('sent again (1)', webhook)
    expect(JSON.parse(receiver.received[2]?.body ?? '')).toMatchObject({ event_type: 'transaction.voided' })
    await page.keyboard.press('Escape')
  })

  test('a session that is over leads to signing in, and from there to the same page', async () => {
    const { stack, page, context } = stage
    const invoiceId = await capturedPayment()
    const { id, email } = await signInAs('owner')
    await openPage(`/payments/${invoiceId}`, /€29\.00/)
    await stack.database.orm.em.fork().execute('delete from person_session where person_id = ?', [id])
    await button('Refund').click()
    await button('Refund €29.00').click()
    await seen('You were signed out')
    expect(await page.getByText('€29.00').count()).toBe(0)
    await enterCredentials(email)
    await page.getByRole('heading', { level: 1, name: /€29\.00/ }).waitFor()
    await button(/account and appearance/).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect((await context.cookies()).map(({ value }) => value)).toEqual([])
  })
})
