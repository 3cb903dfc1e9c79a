import { expect, test } from '@jest/globals'
import { waitFor } from '../../../test/support/wait-for.ts'
import {
  api,
  bank,
  bankPage,
  CARD,
  CHALLENGE,
  cardFrame,
  confirmAtBank,
  describeInChromium,
  endings,
  enter,
  FINGERPRINT,
  logged,
  open,
  page,
  payWith,
  untilEnded,
  VERSION_1,
} from './chromium-stage.ts'
import type { ShopWindow } from './shop-page.ts'

declare const window: ShopWindow & typeof globalThis

/** Waits until the keyboard is in the bank's page. */
async function bankFocus(): Promise<void> {
  const frame = page.frames().find((one) => one.url().startsWith(bank.url))
  await frame?.waitForFunction(() => document.hasFocus())
}

describeInChromium('a payment', () => {
  test('by keyboard alone, with a challenge, under the strictest policy', async () => {
    const invoice = await open()
    for (const [id, text] of [
      ['cc-number', CHALLENGE],
      ['cc-exp', '1230'],
      ['cc-csc', '123'],
      ['cc-name', 'Ann Example'],
    ]) {
      await page.keyboard.press('Tab')
      await cardFrame().locator(`#${id}:focus`).waitFor()
      await page.keyboard.type(String(text))
    }
    await page.keyboard.press('Enter')
    await bankPage().getByLabel('Code').waitFor()
    // The bank's page has the focus of the keyboard by itself, which can leave it again.
    await bankFocus()
    await page.keyboard.press('Tab')
    await bankPage().locator('input:focus').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.textContent === 'Cancel')
    await page.keyboard.press('Tab')
    await bankPage().locator('input:focus').waitFor()
    await page.keyboard.type('1234')
    await page.keyboard.press('Enter')
    await untilEnded()
    expect(await endings()).toEqual([['success', invoice]])
    expect(await page.evaluate(() => window.violations)).toEqual([])
    expect(logged.filter((line) => /Content Security|Trusted|Error/i.test(line))).toEqual([])
    // The keyboard is where it was.
    await cardFrame().locator('#cc-name:focus').waitFor()
    expect(api.api.charges.get(invoice)).toBe(1)
  })

  test.each([
    ['without 3-D Secure', CARD, false],
    ['with a fingerprint', FINGERPRINT, false],
    ['with version 1', VERSION_1, true],
  ])('%s leaves nothing in the page', async (_what, number, asks) => {
    const invoice = await open()
    const before = await page.locator('body *').count()
    await payWith(number)
    if (asks) await confirmAtBank()
    await untilEnded()
    expect(await endings()).toEqual([['success', invoice]])
    expect(await page.locator('body *').count()).toBe(before)
    expect(await page.evaluate(() => ({ ...sessionStorage }))).toEqual({})
  })

  test('whose fingerprint does not come back goes on after 10 s', async () => {
    api.bank = 'silent'
    const invoice = await open()
    const begun = performance.now()
    await payWith(FINGERPRINT)
    await untilEnded()
    expect(performance.now() - begun).toBeGreaterThan(10_000)
    expect(await endings()).toEqual([['success', invoice]])
    expect(JSON.stringify(api.api.sources)).toContain('threeDS2FingerprintTimeout')
  })

  test('can be canceled by Escape and by the button, opened again each time, and then made', async () => {
    const invoice = await open()
    await enter(CHALLENGE)
    await page.evaluate(() => scrollTo(0, 150))
    await page.evaluate(() => void window.pay())
    await bankPage().getByLabel('Code').waitFor()
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).toBe('hidden')
    // As phones do for their keyboard.
    await page.evaluate(() => scrollTo(0, 700))
    await page.locator('dialog').press('Escape')
    await untilEnded(1)
    expect(await page.evaluate(() => [document.documentElement.style.overflow, Math.round(scrollY)])).toEqual(['', 150])
    await payWith(CHALLENGE)
    await bankPage().getByLabel('Code').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await untilEnded(2)
    await payWith(CHALLENGE)
    await confirmAtBank()
    await untilEnded(3)
    expect(await endings()).toEqual([
      ['error', 'customer.canceled', 'The payment was canceled.'],
      ['error', 'customer.canceled', 'The payment was canceled.'],
      ['success', invoice],
    ])
    expect(api.api.charges.get(invoice)).toBe(1)
  })

  test('that is asked for twice at once is made once, and tells each call', async () => {
    const invoice = await open({ options: { authorize_only: true } })
    await enter(CHALLENGE)
    await page.evaluate(() => void Promise.all([window.pay(), window.pay(), window.pay()]))
    await confirmAtBank()
    await untilEnded(3)
    await page.waitForTimeout(300)
    expect(await endings()).toEqual(Array(3).fill(['success', invoice]))
    expect(api.api.requests.filter(({ path }) => path.endsWith('/capture'))).toHaveLength(3)
    expect(api.api.charges.get(invoice)).toBe(1)
    expect(api.api.invoice(invoice).status).toBe('authorized')
  })

  test('shows the bank inside of a frame of the API, since the policy of the page refuses it in one of its own', async () => {
    const invoice = await open()
    await payWith(CHALLENGE)
    await bankPage().getByLabel('Code').waitFor()
    expect(await page.evaluate(() => window.violations)).toEqual([])
    await page.evaluate(
      (value) => {
        const frame = document.createElement('iframe')
        frame.src = value
        document.body.append(frame)
      },
      String(api.api.invoice(invoice).attempt?.action),
    )
    await page.waitForFunction(() => window.violations.length > 0)
    expect(await page.evaluate(() => window.violations)).toEqual([`frame-src ${bank.url}`])
  })

  test('whose callback throws does not call the other one', async () => {
    const invoice = await open()
    await enter(CARD)
    await page.evaluate(async (id) => {
      const card = await window.client.tokenize(window.form)
      const note = (what: string) => () => {
        window.endings.push(what)
        throw new Error(`thrown by ${what}`)
      }
      window.client.makeCardPayment(id, card, null, note('success'), note('error'))
    }, invoice)
    await untilEnded()
    await waitFor(() => logged.join().includes('thrown by success'))
    expect(await endings()).toEqual(['success'])
  })
})
