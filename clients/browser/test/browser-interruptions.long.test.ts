import { expect, test } from '@jest/globals'
import {
  api,
  bank,
  bankPage,
  CARD,
  CHALLENGE,
  describeInChromium,
  endings,
  FULL_PAGE,
  open,
  page,
  payWith,
  shop,
  untilEnded,
} from './chromium-stage.ts'
import type { ShopWindow } from './shop-page.ts'

declare const window: ShopWindow & typeof globalThis

describeInChromium('an interrupted payment', () => {
  test('whose bank refuses frames goes on in the whole window, and is found again behind it', async () => {
    api.bank = 'refuses frames'
    const invoice = await open({ options: { authorize_only: true } })
    await payWith(CHALLENGE)
    const button = page.getByRole('button', { name: /in this window/ })
    await button.waitFor({ timeout: 20_000 })
    await button.click()
    await page.getByLabel('Code').fill('1234')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL(`${shop.url}/return*`)
    await untilEnded()
    expect(await endings()).toEqual([['success', invoice]])
    expect(page.url()).toBe(`${shop.url}/return?invoice_id=${invoice}`)
    expect(api.api.invoice(invoice).status).toBe('authorized')
    // Loaded once more, it knows that the invoice is paid.
    await page.reload()
    await untilEnded()
    expect(await endings()).toEqual([['success', invoice]])
    expect(api.api.charges.get(invoice)).toBe(1)
  })

  test('that needs the whole window gets it, and ends as canceled where the customer comes back by the button', async () => {
    const invoice = await open()
    await payWith(FULL_PAGE)
    await page.waitForURL(`${bank.url}/**`)
    await page.goBack()
    // Where the browser has kept the page it is told; where it loads the page anew, the form is there again.
    const isKept = await page
      .evaluate(() => window.endings !== undefined && window.form !== undefined)
      .catch(() => false)
    if (isKept && (await page.evaluate(() => window.events.length)) > 0) await untilEnded()
    else await page.evaluate(() => window.ready)
    await payWith(FULL_PAGE)
    await page.waitForURL(`${bank.url}/**`)
    await page.getByLabel('Code').fill('1234')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL(`${shop.url}/return*`)
    await untilEnded()
    expect(await endings()).toEqual([['success', invoice]])
    expect(api.api.charges.get(invoice)).toBe(1)
  })

  test('whose window something else has closed is canceled, and can be made again', async () => {
    const invoice = await open()
    await payWith(CHALLENGE)
    await bankPage().getByLabel('Code').waitFor()
    await page.locator('dialog').evaluate((dialog) => (dialog as HTMLDialogElement).close())
    await untilEnded(1)
    await payWith(CARD)
    await untilEnded(2)
    expect(await endings()).toEqual([
      ['error', 'customer.canceled', 'The payment was canceled.'],
      ['success', invoice],
    ])
  })

  test('whose page is loaded again ends the challenge of a card that the customer has replaced', async () => {
    const invoice = await open()
    await payWith(CHALLENGE)
    await bankPage().getByLabel('Code').waitFor()
    await page.reload()
    await page.evaluate(() => window.ready)
    await payWith(CARD)
    await untilEnded()
    expect(await endings()).toEqual([['success', invoice]])
    expect(JSON.stringify(api.api.sources)).toContain('canceled=true')
  })

  test('whose connection is lost in the middle is made once, and told once', async () => {
    const invoice = await open()
    let lost = 0
    api.fault = ({ path }) => {
      if (!path.endsWith('/capture') || lost === 3) return null
      lost += 1
      return lost === 2 ? 'lost request' : 'lost answer'
    }
    await payWith(CARD)
    await untilEnded()
    expect(await endings()).toEqual([['success', invoice]])
    const keys = api.api.requests.map(({ headers }) => headers['idempotency-key']).filter((key) => key !== undefined)
    expect(new Set(keys).size).toBe(2)
    expect(api.api.charges.get(invoice)).toBe(1)
  })
})
