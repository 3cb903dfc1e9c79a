import { expect, test } from '@jest/globals'
import {
  api,
  CARD,
  CO_BADGED,
  cardFrame,
  describeInChromium,
  endings,
  enter,
  field,
  logged,
  open,
  page,
  payWith,
  shop,
  untilEnded,
} from './chromium-stage.ts'
import type { ShopWindow } from './shop-page.ts'

declare const window: ShopWindow & typeof globalThis

describeInChromium('the card form', () => {
  test('has the names and kinds of fields that browsers and password managers fill in', async () => {
    await open()
    const attributes = await cardFrame()
      .locator('input')
      .evaluateAll((inputs) =>
        inputs.map((input) => {
          const { id, name, type, autocomplete, inputMode, pattern, form: owner } = input as HTMLInputElement
          const size = Number.parseFloat(getComputedStyle(input).fontSize)
          return { id, name, type, autocomplete, inputMode, pattern, form: owner?.autocomplete, isLarge: size >= 16 }
        }),
      )
    const common = { type: 'text', pattern: '', form: 'on', isLarge: true }
    const of = (id: string, inputMode: string) => ({ ...common, id, name: id, autocomplete: id, inputMode })
    expect(attributes).toEqual([
      of('cc-number', 'numeric'),
      of('cc-exp', 'numeric'),
      of('cc-csc', 'numeric'),
      of('cc-name', ''),
    ])
  })

  test('takes a number as it is typed, corrected and pasted', async () => {
    await open()
    const number = field('cc-number')
    await number.pressSequentially('42424242')
    expect(await number.inputValue()).toBe('4242 4242')
    for (let times = 0; times < 4; times += 1) await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('1')
    expect(await number.inputValue()).toBe('4242 1424 2')
    const caret = await number.evaluate((input) => (input as HTMLInputElement).selectionStart)
    expect(caret).toBe(6)
    await page.keyboard.press('Backspace')
    expect(await number.inputValue()).toBe('4242 4242')
    await number.fill('')
    await number.evaluate((input) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', '4242-4242-4242-4242')
      input.focus()
      document.execCommand('insertText', false, '4242-4242-4242-4242')
    })
    expect(await number.inputValue()).toBe('4242 4242 4242 4242')
    const expiry = field('cc-exp')
    await expiry.pressSequentially('1230')
    expect(await expiry.inputValue()).toBe('12 / 30')
    for (let times = 0; times < 5; times += 1) await page.keyboard.press('Backspace')
    expect(await expiry.inputValue()).toBe('')
  })

  test('shows what is wrong beside the field, when the customer has left it, and no longer than it is', async () => {
    await open()
    const number = field('cc-number')
    const error = field('cc-number-error')
    await number.pressSequentially('4242 4242')
    expect(await error.textContent()).toBe('')
    await field('cc-exp').focus()
    expect(await error.textContent()).toBe('The card number is too short.')
    expect(await number.getAttribute('aria-invalid')).toBe('true')
    expect((await number.getAttribute('aria-describedby'))?.split(' ')).toContain('cc-number-error')
    expect(await error.getAttribute('role')).toBe('alert')
    await number.fill(CARD)
    expect(await error.textContent()).toBe('')
    expect(await number.getAttribute('aria-invalid')).toBe('false')
    await field('cc-exp').pressSequentially('0120')
    await field('cc-csc').focus()
    expect(await field('cc-exp-error').textContent()).toBe('The card has expired.')
  })

  test('shows what the API does not accept', async () => {
    await open()
    await payWith('4111111111111111')
    await untilEnded()
    expect(await endings()).toEqual([['error', 'sandbox.not-supported', expect.stringMatching('test cards')]])
    expect(await field('cc-number-error').textContent()).toMatch(/^This number is not one of .*test cards/)
    expect(logged).toContain('Holdfast: number is not one of the test cards. (sandbox.not-supported)')
  })

  test('lets the customer choose between the schemes of a co-badged card', async () => {
    await open()
    expect(await cardFrame().locator('#brands').isVisible()).toBe(false)
    await field('cc-number').fill(CO_BADGED)
    const choice = cardFrame().getByRole('radio', { name: 'Carte Bancaire' })
    await choice.waitFor()
    expect(await cardFrame().getByRole('radio').count()).toBe(2)
    expect(await cardFrame().locator('input[type=radio]:checked').count()).toBe(0)
    await choice.check()
    await payWith(CO_BADGED)
    await untilEnded()
    const [card] = api.seen.filter(({ path }) => path === '/cards').map(({ body }) => JSON.parse(body))
    expect(card.preferred_scheme).toBe('carte bancaire')
    expect(card.device).toMatchObject({ app_screen_width: expect.any(Number), app_language: 'en-US' })
  })

  test('tells the page its state, and grows with what it shows', async () => {
    await open()
    const height = () => page.locator('#card iframe').evaluate((frame) => frame.getBoundingClientRect().height)
    const before = await height()
    await page.evaluate(() => window.form.validate())
    await page.waitForFunction((low) => (document.querySelector('#card iframe')?.clientHeight ?? 0) > low, before)
    await enter(CARD)
    const events = await page.evaluate(() => window.events)
    const states = events.filter(([name]) => name === 'change').map(([, state]) => state)
    expect(await cardFrame().getByRole('img', { name: 'Visa' }).count()).toBe(1)
    expect(states.at(-1)).toMatchObject({ isComplete: true, scheme: 'visa', fields: { cvc: { isValid: true } } })
    expect(events).toContainEqual(['focus', { field: 'expiry' }])
    expect(events).toContainEqual(['blur', { field: 'number' }])
  })

  test('can be taken away and shown again, also elsewhere, and is empty then', async () => {
    const invoice = await open()
    await enter(CARD)
    await page.evaluate(() => window.form.unmount())
    expect(await page.locator('iframe').count()).toBe(0)
    await page.evaluate(() => window.form.mount())
    expect(await field('cc-number').inputValue()).toBe('')
    // A frame that is moved is loaded anew by browsers.
    await page.evaluate(async () => {
      const again = new Promise<void>((resolve) => {
        const stop = window.form.on('ready', () => {
          stop()
          resolve()
        })
      })
      document.querySelector('#far')?.append(document.querySelector('#card') as Element)
      await again
    })
    await page.evaluate(() => window.client.setupForm('#card'))
    expect(await page.locator('iframe').count()).toBe(1)
    await page.evaluate(() => window.form.mount('#card'))
    await enter(CARD)
    await page.evaluate(() => window.pay())
    await untilEnded()
    expect(await endings()).toEqual([['success', invoice]])
  })

  test('takes colours, sizes, words and languages while somebody types', async () => {
    await open({ form: { theme: { borderRadius: 0 } } })
    await field('cc-number').fill('4242')
    await field('cc-exp').focus()
    await page.evaluate(() =>
      window.form.update({
        theme: { colorText: '#102030', borderRadius: 20 },
        locale: 'de-AT',
        texts: { name: 'Inhaber' },
      }),
    )
    const style = await field('cc-number').evaluate((input) => {
      const { color, borderRadius } = getComputedStyle(input)
      return { color, borderRadius }
    })
    expect(style).toEqual({ color: 'rgb(16, 32, 48)', borderRadius: '20px' })
    expect(await field('cc-number').inputValue()).toBe('4242')
    expect(await field('cc-number-error').textContent()).toBe('Die Kartennummer ist zu kurz.')
    expect(await cardFrame().getByLabel('Inhaber').count()).toBe(1)
  })

  test('works as a module, and without the name', async () => {
    shop.pages.set('/module.js', {
      html: `import { Client } from '${api.url}/js/v1/holdfast.mjs'
        window.client = new Client('test-proj_1')
        window.ready = client.setupForm('#card', { name: 'hidden' }).then((form) => { window.form = form })`,
    })
    shop.pages.set('/module', {
      html: `<!doctype html><title>Shop</title><div id="card"></div><script type="module" src="/module.js"></script>`,
    })
    await page.goto(`${shop.url}/module`)
    await page.waitForFunction(() => 'ready' in window)
    await page.evaluate(() => window.ready)
    expect(await field('cc-name').count()).toBe(0)
    await field('cc-number').fill(CARD)
    await field('cc-exp').fill('12/30')
    await field('cc-csc').fill('123')
    const card = await page.evaluate(() =>
      window.client.tokenize(window.form, { name: 'Ann', contact: { zip: '1010' } }),
    )
    expect(card).toMatchObject({ scheme: 'visa', last_4_digits: '4242' })
    const sent = JSON.parse(api.seen.find(({ path }) => path === '/cards')?.body ?? '{}')
    expect(sent).toMatchObject({ name: 'Ann', contact: { zip: '1010' } })
  })
})
