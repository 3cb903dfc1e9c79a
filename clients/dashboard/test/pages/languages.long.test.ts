import { expect, test } from '@jest/globals'
import { ERRORS, type ErrorEntry } from '../../../../domain/errors.ts'
import { takePicture } from '../../../../test/support/chromium.ts'
import german from '../../src/words/catalogue/de/index.ts'
import english from '../../src/words/catalogue/en/index.ts'
import french from '../../src/words/catalogue/fr/index.ts'
import { everyPage } from './pages.ts'
import { arriveAt, barriers, button, describeDashboard, overflowing, resize, seen, signInAs, stage } from './stage.ts'

const sentencesOf = (texts: object): string[] =>
  Object.values(texts).flatMap((text) => (typeof text === 'string' ? [text] : sentencesOf(text)))

/** What the service says of errors. */
const ERROR_TEXTS = Object.values<ErrorEntry>(ERRORS).flatMap(({ message, advice }) => [message, advice])

/** English texts of some length that this language has in other words. */
function foreignTo(catalogue: object): string[] {
  const own = new Set(sentencesOf(catalogue))
  return [...sentencesOf(english), ...ERROR_TEXTS].filter(
    (text) => text.length > 14 && !/[<{]/.test(text) && !own.has(text),
  )
}

async function open(path: string): Promise<void> {
  await arriveAt(path)
  await stage.page.locator('#page-title').waitFor()
  await stage.page.locator('main .loading').first().waitFor({ state: 'detached' })
}

const NAMES = { en: 'English', de: 'Deutsch', fr: 'Français' }

async function speak(language: keyof typeof NAMES): Promise<void> {
  await stage.page.getByRole('banner').getByRole('button').last().click()
  await stage.page.getByRole('menu').waitFor()
  expect(await barriers()).toEqual([])
  await stage.page.getByRole('menuitemradio', { name: NAMES[language] }).click()
  await stage.page.locator(`html[lang=${language}] #page-title`).waitFor()
}

/** Arabic, with a character that reverses what follows, as a customer may be called. */
const NAME = '\u202Eدينا مراد'

/**
 * Where a name of others could turn its neighbours: in a text that is neither alone in its element nor in `<bdi>`, and in a
 * property without its isolation.
 */
const TURNED = `(() => {
  const found = []
  const has = (text) => /[\\u0590-\\u08ff]/.test(text)
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { data, parentElement: parent } = walker.currentNode
    if (!has(data) || parent.closest('bdi, script, pre, textarea, option')) continue
    if (/\\u2068[^\\u2069]*\\u2069/.test(data)) continue
    if (parent.textContent.trim() !== data.trim() || /[\\w€]/.test(data)) found.push(parent.outerHTML)
  }
  for (const one of document.querySelectorAll('[title], [aria-label]'))
    for (const name of ['title', 'aria-label']) {
      const text = one.getAttribute(name) ?? ''
      if (has(text) && (/\\u202e/.test(text) || !/\\u2068/.test(text))) found.push(one.outerHTML)
    }
  if (/\\u202e/.test(document.title)) found.push(document.title)
  return found
})()`

describeDashboard('the dashboard in other languages', () => {
  test.each([
    ['de', german],
    ['fr', french],
  ] as const)(
    '%s has every page, with no barrier and nothing English',
    async (language, catalogue) => {
      const foreign = foreignTo(catalogue)
      const pages = await everyPage()
      await signInAs('owner')
      await speak(language)
      for (const [number, [address]] of pages.entries()) {
        await resize('phone')
        await open(address)
        expect([address, await overflowing(), await barriers('main')]).toEqual([address, [], []])
        await takePicture(stage.page, `dashboard-${number}-${language}-phone`, { fullPage: true })
        await resize('wide')
        await takePicture(stage.page, `dashboard-${number}-${language}-wide`, { fullPage: true })
        const shown = await stage.page.locator('body').innerText()
        expect([address, foreign.filter((text) => shown.includes(text))]).toEqual([address, []])
      }
      await open('/account')
      for (const field of await stage.page.locator('main input[type=password]').all())
        await field.fill('the same one 9')
      await button(catalogue.account.password.change).click()
      // Of which the service says something in English.
      await seen(catalogue.common.problem.weakPassword)
      await speak('en')
    },
    240_000,
  )

  test('a name from right to left turns nothing, on no page', async () => {
    const { stack } = stage
    const customer = (await stack.post('/customers', { first_name: NAME, email: 'dina@shop.example' })).body.customer
    const { invoiceId } = await stack.payInvoice({
      card: { name: NAME },
      invoice: {
        ...{ name: NAME, order_id: `${NAME} 1234`, customer_id: customer.id, amount: '29.00' },
        ...{ metadata: { [NAME]: NAME }, details: [{ name: NAME, amount: '14.50', quantity: 2 }] },
      },
    })
    await stack.post(`/invoices/${invoiceId}/capture`)
    await stack.post(`/invoices/${invoiceId}/refunds`, { amount: '9.00', reason: 'other', information: NAME })
    await stack.post('/webhook-endpoints', { url: `${stage.receiver.url}/turned`, description: NAME })
    const [gateway] = (await stack.get('/gateway-configurations')).body.gateway_configurations
    await stack.put(`/gateway-configurations/${gateway.id}`, { name: NAME })
    await signInAs('owner')
    const one = [`/payments/${invoiceId}`, `/customers/${customer.id}`, `/gateways/${gateway.id}`]
    const lists = [
      '',
      '/payments',
      '/disputes',
      '/customers',
      '/webhooks',
      '/requests',
      '/routing',
      '/gateways',
      '/books',
      '/people',
    ]
    for (const address of [...lists, ...one]) {
      await open(address)
      await takePicture(stage.page, `dashboard-turned-${address.split('/')[1] ?? 'overview'}`, { fullPage: true })
      expect([address, await stage.page.evaluate(TURNED)]).toEqual([address, []])
    }
  })
})
