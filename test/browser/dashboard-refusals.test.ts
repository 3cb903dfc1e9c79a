import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { makeAccount } from '../http/dashboard/browser.ts'
import { seededRandomBytes } from '../support/random.ts'
import {
  addressOf,
  button,
  describeDashboard,
  dialog,
  enterCredentials,
  openPage,
  projectId,
  row,
  section,
  seen,
  signInAs,
  stage,
  textbox,
} from './dashboard-stage.ts'

const transactionOf = async (invoiceId: string) =>
  (await stage.stack.get(`/invoices/${invoiceId}?expand=transaction.operations,transaction.refunds`)).body.invoice
    .transaction

/** A project with the payment of one order, to which people may belong as well. */
async function otherProject(): Promise<string> {
  const { stack } = stage
  const { projectId: id } = await createProject(stack.database.orm.em.fork(), {
    name: 'Second shop',
    sandbox: true,
    randomBytes: seededRandomBytes('second shop'),
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

describeDashboard('what the dashboard does not let happen', () => {
  test('what merchants, customers and their servers write is shown as text, on every page', async () => {
    const { stack, receiver, page } = stage
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
    await openPage('/payments', 'Payments')
    await row(EVIL).waitFor()
    await openPage(`/payments/${invoiceId}`, /€29\.00/)
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
    const { stack, page, context } = stage
    const second = await otherProject()
    const { invoiceId } = await stack.payInvoice({ invoice: { order_id: 'of-the-first' } })
    const { email } = await makeAccount(stack, { roles: { [stack.project.id]: 'owner', [second]: 'support' } })
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
    await openPage(`/payments/${invoiceId}`, /€29\.00/)
    await button('Capture').click()
    await button('Capture €29.00').waitFor()
    await stack.post(`/invoices/${invoiceId}/void`)
    await button('Capture €29.00').click()
    await dialog().getByRole('alert').waitFor()
    expect(await transactionOf(invoiceId)).toMatchObject({ status: 'voided', captured_amount: '0.00' })
    await button('Cancel').click()
    await seen('Voided', stage.page.getByRole('heading', { level: 1 }))
    expect(await button('Capture').count()).toBe(0)
  })

  test('a page of somebody else, open in the same browser, changes nothing and reads nothing', async () => {
    const { stack, context } = stage
    const { invoiceId } = await stack.payInvoice()
    await signInAs('owner')
    // Another port of this machine is the same site to a browser, so that the cookie comes along.
    const capture = `${stack.baseUrl}/invoices/${invoiceId}/capture`
    const forms = [capture, `${stack.baseUrl}/dashboard/session`].map(
      (action) =>
        `<form method="post" action="${action}" enctype="text/plain" target="out"><input name='{"a' value='"}'></form>`,
    )
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<iframe name="out"></iframe>${forms.join('')}<iframe src="${stack.baseUrl}/dashboard/"></iframe>`)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const attacker = await context.newPage()
      await attacker.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
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
    } finally {
      server.close()
    }
    await stage.page.reload()
    await stage.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(await transactionOf(invoiceId)).toMatchObject({ status: 'authorized', captured_amount: '0.00' })
  })
})
