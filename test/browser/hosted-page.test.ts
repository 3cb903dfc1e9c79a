import { expect, test } from '@jest/globals'
import type { BrowserContextOptions } from 'playwright-core'
import { KEEPS_PICTURES } from '../support/chromium.ts'
import {
  answerBank,
  bankPage,
  CARDS,
  cardField,
  cardForm,
  describeInChromium,
  enterCard,
  keepPicture,
  newPage,
  payButton,
  payWith,
  seriousBarriers,
  stage,
} from './stage.ts'

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** An invoice, and the address that opens its page. */
async function makeInvoice(fields: object = {}): Promise<{ id: string; address: string }> {
  const { stack, merchant } = stage
  const wanted = {
    name: 'Order 1',
    amount: '29.00',
    currency: 'EUR',
    return_url: `${merchant.url}/thanks?a=1`,
    ...fields,
  }
  const { headers, body } = await stack.post('/invoices', wanted)
  const { id } = body.invoice
  return { id, address: `${stack.baseUrl}/pay/${id}?client_secret=${headers.get('x-service-client-secret')}` }
}

async function open(address: string): Promise<void> {
  await stage.page.goto(address)
  await cardField('cc-number').waitFor()
}

async function openInvoice(fields: object = {}): Promise<string> {
  const { id, address } = await makeInvoice(fields)
  await open(address)
  return id
}

const heading = (text: string) => stage.page.getByRole('heading', { name: text, exact: true })
const problem = () => stage.page.locator('#problem')

async function invoiceOf(id: string) {
  const { body } = await stage.stack.get(`/invoices/${id}?expand[]=transaction`)
  return body.invoice
}

const authorizationsOf = async (id: string) =>
  (await stage.stack.gatewayRequests(id)).filter(({ type }) => type === 'authorization')

describeInChromium('the hosted page', () => {
  test('takes the secret out of the address, is paid, and leads back with the id of the invoice', async () => {
    const id = await openInvoice()
    expect(stage.page.url()).toBe(`${stage.stack.baseUrl}/pay/${id}`)
    await payWith(CARDS.approved)
    await heading('Thank you').waitFor()
    await stage.page.waitForURL(`${stage.merchant.url}/thanks?a=1&invoice_id=${id}`)
    expect(await invoiceOf(id)).toMatchObject({ status: 'completed', transaction: { captured_amount: '29.00' } })
    expect(stage.merchant.asked.filter((address) => address.includes(id))).toHaveLength(1)
    expect(stage.complaints).toEqual([])
  })

  test('goes on with a payment that the server of the merchant has begun', async () => {
    const { stack, page } = stage
    const { id } = await makeInvoice()
    const { id: source } = await stack.createCard({ number: CARDS.challenge })
    const { body } = await stack.post(`/invoices/${id}/authorize`, { source })
    expect(body.error_type).toBe('card.needs-authentication')
    await page.goto(body.customer_action.value)
    expect(page.url()).toBe(`${stack.baseUrl}/pay/${id}`)
    await answerBank()
    await heading('Thank you').waitFor()
    // The terms of the merchant stay: it was asked to be authorized only.
    expect(await invoiceOf(id)).toMatchObject({ status: 'authorized' })
  })

  test('goes on after a reload in the middle', async () => {
    const id = await openInvoice()
    await payWith(CARDS.challenge)
    await bankPage().getByLabel('Code').waitFor()
    await stage.page.reload()
    await answerBank()
    await heading('Thank you').waitFor()
    expect(await authorizationsOf(id)).toHaveLength(1)
    await stage.page.reload()
    await heading('This has been paid').waitFor()
  })

  test('takes another card after a decline, in an empty form with the focus in it', async () => {
    const id = await openInvoice()
    await payWith(CARDS.declined)
    await problem().getByText('The card was declined.').waitFor()
    await keepPicture('hosted-declined')
    expect(await cardField('cc-number').inputValue()).toBe('')
    await cardForm().locator('#cc-number:focus').waitFor()
    await payWith(CARDS.approved)
    await heading('Thank you').waitFor()
    expect(await authorizationsOf(id)).toHaveLength(2)
  })

  test('takes another try after a challenge that failed, and one that was closed', async () => {
    await openInvoice()
    await payWith(CARDS.challengeFails)
    await answerBank()
    await problem().getByText('Your bank could not confirm the payment.').waitFor()
    await payWith(CARDS.challenge)
    await stage.page.getByRole('button', { name: 'Cancel' }).first().click()
    await problem().getByText('The payment was canceled.').waitFor()
    expect(await cardField('cc-number').inputValue()).not.toBe('')
    await payButton().click()
    await answerBank()
    await heading('Thank you').waitFor()
  })

  test('is paid once by a double click and by the enter key', async () => {
    const id = await openInvoice()
    await enterCard(CARDS.approved)
    await cardField('cc-name').press('Enter')
    await payButton()
      .dblclick({ force: true, noWaitAfter: true })
      .catch(() => {})
    await heading('Thank you').waitFor()
    expect(await authorizationsOf(id)).toHaveLength(1)
  })

  test('is paid with the keyboard alone, which is told what happens', async () => {
    await openInvoice({ cancel_url: `${stage.merchant.url}/basket` })
    const { keyboard } = stage.page
    await keyboard.press('Tab')
    for (const text of [CARDS.challenge, '1230', '123']) {
      await keyboard.type(text)
      await keyboard.press('Tab')
    }
    await keyboard.type('Ann Example')
    await keyboard.press('Tab')
    expect(await stage.page.evaluate('document.activeElement.id')).toBe('pay')
    await keyboard.press('Space')
    await bankPage().getByLabel('Code').waitFor()
    await stage.page.waitForTimeout(300)
    await keyboard.press('Tab')
    await bankPage().locator('#code:focus').waitFor()
    await keyboard.type('1234')
    await keyboard.press('Enter')
    await heading('Thank you').waitFor()
    expect(await stage.page.evaluate('document.activeElement.textContent')).toBe('Thank you')
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await heading('Back in the shop').waitFor()
  })

  const lines = [
    { name: 'Coffee, 1 kg', amount: '11.00', quantity: 2 },
    { name: 'Mug', amount: '7.00' },
  ]
  /** Seen in every run; the others differ in nothing but their picture. */
  const ALWAYS = ['desktop-dark', 'phone-arabic', 'narrow']
  const WINDOWS: [string, BrowserContextOptions, object][] = [
    ['desktop', {}, { details: lines }],
    ['desktop-dark', { colorScheme: 'dark', locale: 'de-DE' }, { details: lines, cancel_url: 'https://shop.example' }],
    ['phone', { ...PHONE, locale: 'fr-FR' }, { details: lines }],
    ['phone-dark', { ...PHONE, colorScheme: 'dark', locale: 'es-ES' }, {}],
    ['phone-arabic', { ...PHONE, locale: 'ar-AE' }, { details: lines, amount: '29', currency: 'KWD' }],
    ['narrow', { viewport: { width: 320, height: 640 }, locale: 'de' }, { details: lines, amount: '99999999999.99' }],
  ]
  test.each(WINDOWS.filter(([name]) => KEEPS_PICTURES || ALWAYS.includes(name)))(
    '%s has nothing that axe finds serious, nothing that moves, and no scroll bar across',
    async (name, options, fields) => {
      await newPage({ ...options, reducedMotion: 'no-preference' })
      await stage.page.addInitScript(
        `window.shifts = []; new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value)))
        .observe({ type: 'layout-shift', buffered: true })`,
      )
      const shop = { statement_descriptor: 'Bean and Mug', statement_descriptor_company: 'Bean and Mug' }
      await openInvoice({ name: 'Order 4711', ...shop, ...fields })
      await stage.page.waitForTimeout(300)
      expect(await stage.page.evaluate('shifts.reduce((sum, shift) => sum + shift, 0)')).toBeLessThan(0.01)
      await keepPicture(`hosted-${name}`)
      expect(await seriousBarriers()).toEqual([])
      await payWith(CARDS.challenge)
      await bankPage().getByLabel('Code').waitFor()
      await keepPicture(`hosted-${name}-challenge`)
      await answerBank()
      await stage.page.locator('[data-view="paid"]').waitFor()
      await keepPicture(`hosted-${name}-paid`)
      // Looking may take longer than the page waits before it leads back to the shop.
      await stage.page.locator('[data-leaving] button').click()
      expect(await seriousBarriers()).toEqual([])
      expect(
        await stage.page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
      ).toBe(false)
      expect(stage.complaints).toEqual([])
    },
  )

  test('is one page for everybody without a proof', async () => {
    const { page, stack } = stage
    const { id } = await makeInvoice()
    await page.goto(`${stack.baseUrl}/pay/${id}?client_secret=ivs_wrong`)
    await heading('This page cannot be opened').waitFor()
    expect(page.url()).toBe(`${stack.baseUrl}/pay/${id}`)
    await keepPicture('hosted-not-found')
    expect(await seriousBarriers()).toEqual([])
  })

  test('is shown in no frame of another page', async () => {
    const { page, merchant } = stage
    const { address } = await makeInvoice()
    await page.goto(merchant.url)
    await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { src: '${address}' }))`)
    await page.waitForTimeout(1_000)
    expect(await page.frameLocator('iframe').locator('#card').count()).toBe(0)
  })
})
