import { describe, expect, test } from '@jest/globals'
import { hostedPage, notFoundPage, type PageContent } from '../../src/pages/hosted-page.ts'
import { pageLocaleOf } from '../../src/pages/hosted-page-texts.ts'

const FILES = { script: 'pay.js', scriptIntegrity: 'sha384-a', style: 'pay.css', styleIntegrity: 'sha384-b' }
const CONTENT: PageContent = {
  locale: pageLocaleOf(['en']),
  data: {
    project_id: 'proj_1',
    invoice_id: 'iv_1',
    language: 'en',
    view: 'form',
    authorize_only: false,
    token: null,
  },
  merchant: 'Shop',
  name: 'Order 1',
  amountMinor: 2900,
  currency: 'EUR',
  lines: [],
  isVerification: false,
  hasFailed: false,
  returnTo: null,
  cancelTo: null,
}

const shown = (content: Partial<PageContent> = {}, data: Partial<PageContent['data']> = {}) =>
  hostedPage({ ...CONTENT, ...content, data: { ...CONTENT.data, ...data } }, FILES)

describe('a page in the language of its customer', () => {
  test.each([
    [['en-GB', 'en'], 'en-GB', 'ltr', 'Pay <bdi>€29.00</bdi>'],
    [['de'], 'de', 'ltr', '<bdi>29,00\u00a0€</bdi> bezahlen'],
    [['de-CH'], 'de-CH', 'ltr', '<bdi>EUR\u00a029.00</bdi> bezahlen'],
    [['fr-FR'], 'fr-FR', 'ltr', 'Payer <bdi>29,00\u00a0€</bdi>'],
    [['es-MX', 'es'], 'es-MX', 'ltr', 'Pagar <bdi>EUR\u00a029.00</bdi>'],
    [['ar-AE'], 'ar-AE', 'rtl', 'ادفع <bdi>'],
    [['ja', 'nl', 'fr', 'de'], 'fr', 'ltr', 'Payer'],
    [['ja'], 'en', 'ltr', 'Pay <bdi>€29.00</bdi>'],
    [['*'], 'en', 'ltr', 'Pay'],
    [['de-u-nu-arab-x-evil'], 'de', 'ltr', '29,00'],
    [['DE-Latn-at'], 'de-AT', 'ltr', '29,00'],
    [['es-419'], 'es-419', 'ltr', '29.00'],
    [['x'.repeat(200)], 'en', 'ltr', 'Pay'],
    [['"><script>'], 'en', 'ltr', 'Pay'],
  ])('%j is %s', (languages, tag, direction, words) => {
    const text = shown({ locale: pageLocaleOf(languages) })
    expect(text).toContain(`<html lang="${tag}" dir="${direction}">`)
    expect(text).toContain(words)
  })

  test('also where it opens nothing', () => {
    const text = notFoundPage(pageLocaleOf(['ar']), FILES)
    expect(text).toContain('<html lang="ar" dir="rtl">')
    expect(text).toContain('لا يمكن فتح هذه الصفحة')
  })

  test.each(['en', 'de', 'fr', 'es', 'ar'])('%s has every text', (language) => {
    const shop = 'https://shop.example/'
    const text = shown({ locale: pageLocaleOf([language]), cancelTo: shop, returnTo: shop })
    expect(text).not.toMatch(/undefined|null<|\{amount\}|\{count\}/)
    const others = ['Thank you', 'Vielen Dank', 'Merci', 'Gracias', 'شكرًا لك']
    expect(others.filter((word) => text.includes(`>${word}</h2>`))).toHaveLength(1)
  })
})

test.each([
  ['JPY', 2900, 'en', '¥2,900'],
  ['JPY', 2900, 'de', '2.900\u00a0¥'],
  ['KWD', 1500, 'en', 'KWD\u00a01.500'],
  ['ISK', 2900, 'en', 'ISK\u00a02,900'],
  ['CLF', 12345, 'en', 'CLF\u00a01.2345'],
  // The browser's data would round these.
  ['IQD', 1001, 'en', 'IQD\u00a01.001'],
  ['HUF', 290055, 'de', '2.900,55\u00a0HUF'],
  // More than a floating point number holds exactly.
  ['EUR', 9_999_999_999_999, 'en', '€99,999,999,999.99'],
  ['UYW', 999_999_999_999_999, 'en', 'UYW\u00a099,999,999,999.9999'],
])('an amount in %s of %i minor units reads in %s: %s', (currency, amountMinor, language, amount) => {
  const text = shown({ currency, amountMinor, locale: pageLocaleOf([language]) })
  expect(text).toContain(`<p class="amount"><bdi>${amount}</bdi></p>`)
  expect(text).toContain(`<title>${amount} · Shop</title>`)
})

describe('the lines of an invoice', () => {
  test('are shown with their quantities', () => {
    const lines = [
      { name: 'Coffee', quantity: 2, amountMinor: 2400 },
      { name: 'Mug', quantity: 1, amountMinor: 500 },
    ]
    const text = shown({ lines })
    expect(text).toMatch(/<bdi>Coffee<\/bdi> <span class="quantity">× 2<\/span>/)
    expect(text).toContain('€24.00')
    expect(text).toMatch(/<bdi>Mug<\/bdi><\/span>/)
  })

  test('are folded up where there are many, and counted where there are too many', () => {
    const line = (_: unknown, index: number) => ({ name: `Piece ${index + 1}`, quantity: 1, amountMinor: 100 })
    const text = shown({ lines: Array.from({ length: 53 }, line) })
    expect(text).toContain('<details class="lines">')
    expect(text).toContain('Piece 50<')
    expect(text).not.toContain('Piece 51<')
    expect(text).toContain('and 3 more')
  })
})

test('what the merchant has written is escaped, and no style and no program is in the page beside its files', () => {
  const evil = '</script><img src=x onerror="alert(1)">\'&'
  const text = shown(
    {
      merchant: evil,
      name: evil,
      lines: [{ name: evil, quantity: 2, amountMinor: 100 }],
      returnTo: 'https://shop.example/?a="><script>alert(1)</script>',
      cancelTo: 'https://shop.example/?b=%22&c=\'"><i>',
    },
    { token: evil },
  )
  expect(text).not.toMatch(/<img|<i>|<script>alert|onerror="/)
  expect(text).toContain("&lt;/script>&lt;img src=x onerror=&quot;alert(1)&quot;>'&amp;")
  expect(text.match(/<script/g)).toHaveLength(2)
  expect(text.match(/<\/script>/g)).toHaveLength(2)
  for (const page of [
    shown({ lines: [{ name: 'Mug', quantity: 1, amountMinor: 1 }] }),
    notFoundPage(CONTENT.locale, FILES),
  ])
    expect(page).not.toMatch(/\sstyle=|<style|\son\w+=|javascript:/i)
})

test('it is said in the sandbox that no money is moved, and only there', () => {
  expect(shown({}, { project_id: 'test-proj_1' })).toContain('This is a test.')
  expect(shown()).not.toContain('This is a test.')
})

test('a card is verified where nothing is to be paid', () => {
  const text = shown({ amountMinor: 0, isVerification: true })
  expect(text).toContain('<h2 tabindex="-1">Verify the card</h2>')
  expect(text).toContain('<span class="label">Verify the card</span>')
  expect(text).not.toContain('Pay <bdi>')
  expect(text).toContain('Your card was verified. Nothing was paid.')
  expect(text).not.toContain('Your payment was successful.')
})

test('a payment that has failed is offered again', () => {
  expect(shown({ hasFailed: true })).toMatch(/role="alert">The last try was not successful/)
  expect(shown()).not.toContain('The last try')
})

describe('the way back to the shop', () => {
  const [returnTo, cancelTo] = ['https://shop.example/thanks', 'https://shop.example/basket']

  test('is there where the merchant has given one', () => {
    const text = shown({ returnTo, cancelTo })
    expect(text).toContain(`data-back href="${returnTo}"`)
    expect(text).toContain(`<a href="${cancelTo}" id="cancel">`)
    expect(text).toContain('data-leaving hidden')
    expect(shown()).not.toMatch(/data-back|data-leaving|id="cancel"/)
  })

  test('is the address for a change of mind where nothing can be paid any more and there is no other', () => {
    expect(shown({ cancelTo }, { view: 'voided' })).toContain(`data-back href="${cancelTo}"`)
    expect(shown({ cancelTo, returnTo }, { view: 'voided' })).toContain(`data-back href="${returnTo}"`)
    expect(shown({ cancelTo }, { view: 'form' })).not.toContain('data-back')
  })
})
