import { expect, test } from '@jest/globals'
import {
  button,
  capturedPayment,
  describeDashboard,
  dialog,
  link,
  openPage,
  openPayment,
  row,
  searchbox,
  section,
  seen,
  signInAs,
  stage,
  textbox,
  transactionOf,
} from './stage.ts'

const captured = async (scenario: string, invoice: object = {}): Promise<string> => {
  const { invoiceId } = await stage.stack.payInvoice({ invoice, card: { name: `SANDBOX:${scenario}` } })
  await stage.stack.post(`/invoices/${invoiceId}/capture`)
  return invoiceId
}

const disputed = async (scenario: string, status: string, invoice: object = {}): Promise<string> => {
  const invoiceId = await captured(scenario, invoice)
  await stage.stack.waitFor(async () => (await transactionOf(invoiceId)).status === status)
  return invoiceId
}

describeDashboard('disputes and customers of the dashboard', () => {
  test('what must be answered first is counted, comes first, and says what to hand in, where and until when', async () => {
    const later = await disputed('chargeback', 'chargeback-initiated', { order_id: 'LATER' })
    await disputed('chargeback-due-tomorrow', 'chargeback-initiated', { order_id: 'SOON' })
    await disputed('chargeback-won', 'solved', { order_id: 'WON' })
    const answered = await disputed('chargeback-answered', 'chargeback-initiated', { order_id: 'ANSWERED' })
    await stage.stack.waitFor(async () => (await transactionOf(answered)).evidence_due_at === null)
    await signInAs('support')
    await openPage('', 'Overview')
    const menu = stage.page.getByRole('navigation')
    await menu.getByRole('img', { name: '2 disputes to answer' }).waitFor()
    await link('2 disputes to answer').click()
    // The overview lists the same payments, in another order.
    await stage.page.getByRole('heading', { level: 1, name: 'Disputes' }).waitFor()
    await row('LATER').waitFor()
    const orders = await stage.page.locator('tbody tr').allTextContents()
    expect(orders.map((text) => /SOON|LATER|WON/.exec(text)?.[0])).toEqual(['SOON', 'LATER'])
    await seen('in 7 days', row('LATER'))
    await seen('The order did not arrive', row('SOON'))
    await seen(/^Reported /, row('SOON'))
    await stage.page.getByText('All', { exact: true }).click()
    await row('WON').waitFor()
    await seen('Answered', row('ANSWERED'))
    await openPayment(answered)
    await seen(/^It is answered/, stage.page.getByRole('alert'))
    await seen('Evidence about €29.00 was handed in at the gateway')
    await openPayment(later)
    const banner = stage.page.getByRole('alert').filter({ hasText: 'the bank takes €29.00 back' })
    await seen('The cardholder does not know the payment', banner)
    await seen(/^Due in 7 days: answer until/, banner)
    await seen(/the result of 3-D Secure/, banner)
    const amounts = await section('Amounts').textContent()
    expect(amounts).toMatch(/Disputed€29\.00Net€0\.00/)
  })

  test('a payment that waits for its customer shows the page to send', async () => {
    const { stack } = stage
    const { id } = await stack.createInvoice()
    const card = await stack.createCard({ number: '4000000000000101' })
    await stack.post(`/invoices/${id}/capture`, { source: card.id })
    await signInAs('owner')
    await openPayment(id)
    const banner = stage.page.getByRole('alert').filter({ hasText: 'The customer has to answer' })
    await seen(new RegExp(`/pay/${id}\\?action=act_`), banner)
    await button('Copy the address of the page', banner).waitFor()
  })

  test('a capture that has failed says until when the money is reserved, and what can be done', async () => {
    const invoiceId = await captured('capture:card.no-money')
    await signInAs('owner')
    await openPayment(invoiceId)
    const banner = stage.page.getByRole('alert').filter({ hasText: 'The last step has failed' })
    await seen(/^€29\.00 stay reserved, until/, banner)
    await seen(/capture a smaller amount, or void/, banner)
  })

  test('a customer is found by the beginning of the name, and erased by who writes the word', async () => {
    const { stack } = stage
    const { body } = await stack.post('/customers', {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@shop.example',
    })
    const { id } = body.customer
    await stack.post('/customers', { first_name: 'Grace', last_name: 'Hopper' })
    const card = await stack.createCard()
    await stack.post(`/customers/${id}/tokens`, { source: card.id, set_default: true })
    await stack.payInvoice({ invoice: { customer_id: id, order_id: 'OF-ADA' } })
    await signInAs('owner')
    await openPage('/customers', 'Customers')
    await searchbox('Search customers').fill('ada lov')
    await button('Search').click()
    await row('Grace Hopper').waitFor({ state: 'detached' })
    await link('Ada Lovelace').click()
    await seen('Can pay', section('Stored cards'))
    await seen('OF-ADA', section('Payments'))
    await button('Delete the customer').click()
    expect(await button('Delete the customer', dialog()).isDisabled()).toBe(true)
    await textbox(/to confirm/).fill('delete')
    await button('Delete the customer', dialog()).click()
    await seen('The customer was deleted.')
    expect((await stack.get(`/customers/${id}`)).status).toBe(404)
  })

  test('support sees a customer, and cannot delete', async () => {
    const { body } = await stage.stack.post('/customers', { last_name: 'محمود' })
    await signInAs('support')
    await openPage(`/customers/${body.customer.id}`, 'محمود')
    expect(await button('Delete the customer').count()).toBe(0)
  })

  test('what was taken in a month is asked for by its name, or from one day to another', async () => {
    await capturedPayment()
    await signInAs('support')
    await openPage('?from=2020-10-01&to=2020-10-31', 'Overview')
    await seen('1 Oct 2020 to 31 Oct 2020, days of UTC')
    await seen('No payments in this time')
    expect(await link('All of this time').getAttribute('href')).toContain('created_from=2020-10-01')
    await stage.page.getByLabel('Time', { exact: true }).selectOption({ index: 4 })
    const month = new Date()
    month.setUTCDate(0)
    expect(stage.page.url()).toContain(`month=${month.toISOString().slice(0, 7)}`)
  })
})
