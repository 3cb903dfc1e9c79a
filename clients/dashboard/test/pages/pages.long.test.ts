import { expect, test } from '@jest/globals'
import { takePicture } from '../../../../test/support/chromium.ts'
import { everyPage } from './pages.ts'
import {
  addressOf,
  barriers,
  button,
  describeDashboard,
  dialog,
  enterCredentials,
  openPage,
  overflowing,
  resize,
  signInAs,
  stage,
  transactionOf,
} from './stage.ts'

/** Overview, list, and payments that went well and wrong: their colours and tables are those of all pages. */
const PAGES_OF_PAYMENTS = 5

describeDashboard('every page of the dashboard', () => {
  test('axe finds nothing on a phone, everything fits, and the title says where one is', async () => {
    const { page } = stage
    await resize('phone')
    await page.goto(addressOf())
    await button('Sign in').waitFor()
    await enterCredentials('nobody@shop.example')
    await page.getByRole('alert').waitFor()
    expect(['Sign in', await overflowing(), await barriers()]).toEqual(['Sign in', [], []])
    const pages = await everyPage()
    await signInAs('owner')
    for (const [number, [address, title]] of pages.entries()) {
      await resize('phone')
      await openPage(address, title)
      expect([address, await overflowing(), await barriers('main')]).toEqual([address, [], []])
      expect([address, await stage.page.title()]).toEqual([address, expect.stringMatching(/ · Sandbox · Test$/)])
      await takePicture(stage.page, `dashboard-${number}-phone`, { fullPage: true })
      await resize('wide')
      // What is around the part that changes is looked at once.
      const part = title === 'Overview' ? undefined : 'main'
      const found = number < PAGES_OF_PAYMENTS ? await barriers(part) : []
      expect([address, await overflowing(), found]).toEqual([address, [], []])
      await takePicture(stage.page, `dashboard-${number}-wide`, { fullPage: true })
      if (title !== 'Payments') continue
      // Its columns leave names the least room while they are beside one another.
      await resize('middle')
      expect([address, await overflowing()]).toEqual([address, []])
    }
  })

  test('axe finds nothing in what is asked before something is done, and Escape does nothing but close it', async () => {
    const { stack } = stage
    const { invoiceId } = await stack.payInvoice({ invoice: { name: 'Donaudampfschifffahrtsgesellschaftskapitän' } })
    await signInAs('owner')
    await resize('phone')
    const asked = [
      [`/payments/${invoiceId}`, /€29\.00/, ['Capture', 'Void', 'Advance the clock']],
      ['/webhooks', 'Webhooks', ['Add an endpoint']],
      ['/api-keys', 'API keys', ['Create a key']],
      ['/gateways', 'Gateways', ['Add an account']],
      ['/books', 'Books', ['Export as CSV']],
      ['/people', 'People', ['Invite a person']],
    ] as const
    for (const [path, title, names] of asked) {
      await openPage(path, title)
      for (const name of names) {
        await button(name).click()
        await dialog().waitFor()
        expect([name, await overflowing(), await barriers('[role=dialog]')]).toEqual([name, [], []])
        await stage.page.keyboard.press('Escape')
        await dialog().waitFor({ state: 'detached' })
      }
    }
    await resize('wide')
    expect(await transactionOf(invoiceId)).toMatchObject({ status: 'authorized', captured_amount: '0.00' })
  })
})
