import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals'
import type { Browser, BrowserContext, BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import { describeInBrowser } from '../../../test/support/chromium.ts'
import { launch } from '../../../test/support/find-chromium.ts'
import { FakeApi } from './fake-api.ts'
import { addShopPages, type ShopWindow } from './shop-page.ts'
import { type ApiSite, type ShopSite, type Site, startApiSite, startBankSite, startShopSite } from './sites.ts'

/** Cards of the fake API, by how they pay. */
export const CARD = '4242424242424242'
export const CHALLENGE = '4000000000000101'
export const FINGERPRINT = '4000000000003063'
export const VERSION_1 = '4000000000003238'
export const FULL_PAGE = '4000000000003246'
export const CO_BADGED = '4360000001000005'

let browser: Browser
let context: BrowserContext
export let page: Page
export let bank: Site
export let api: ApiSite
export let shop: ShopSite
/** Every request of the browser, with its body. */
export let requests: { url: string; body: string }[]
export let logged: string[]
let invoices = 0

declare const window: ShopWindow & typeof globalThis

/**
 * Describes what happens in a browser: before each test a shop, an API and a bank, at origins of their own, and an empty
 * page. Skipped, and said aloud, where the machine has no Chromium.
 */
export function describeInChromium(what: string, tests: () => void): void {
  describeInBrowser(what, (executable) => {
    beforeAll(async () => {
      bank = await startBankSite()
      shop = await startShopSite()
      api = await startApiSite(bank.url, { pageOrigins: async () => [shop.url] })
      addShopPages(shop, api)
      browser = await launch(executable)
    })
    afterAll(async () => {
      await browser?.close()
      await Promise.all([bank, shop, api].map((site) => site?.stop()))
    })
    beforeEach(async () => {
      const calm = { bank: 'asks', fault: () => null, returnUrl: `${shop.url}/return` }
      Object.assign(api, { api: new FakeApi(api.url), ...calm })
      api.seen.length = 0
      shop.seen.length = 0
      await newPage()
    })
    afterEach(() => context.close())
    tests()
  })
}

/** Replaces the page by one of another browser window. */
export async function newPage(options: BrowserContextOptions = {}): Promise<void> {
  await context?.close()
  context = await browser.newContext({ viewport: { width: 900, height: 800 }, ...options })
  page = await context.newPage()
  requests = []
  logged = []
  page.on('request', (request) => requests.push({ url: request.url(), body: request.postData() ?? '' }))
  page.on('console', (message) => logged.push(message.text()))
  page.on('pageerror', (error) => logged.push(String(error)))
}

export interface Shop {
  invoice?: string
  form?: object
  options?: object
  client?: object
}

/** Opens the shop and waits for its form. */
export async function open({
  invoice = nextInvoice(),
  form = {},
  options = {},
  client = {},
}: Shop = {}): Promise<string> {
  const query = {
    invoice,
    form: JSON.stringify(form),
    options: JSON.stringify(options),
    client: JSON.stringify(client),
  }
  await page.goto(`${shop.url}/?${new URLSearchParams(query)}`)
  await page.evaluate(() => window.ready)
  return invoice
}

function nextInvoice(): string {
  invoices += 1
  return `iv_${invoices}`
}

export const cardFrame = (): FrameLocator => page.frameLocator('iframe[src*="card-form"]')
export const field = (id: string) => cardFrame().locator(`#${id}`)
/** The bank's page in the dialog: a frame of the API with a frame of the bank. */
export const bankPage = (): FrameLocator => page.frameLocator('#bank').frameLocator('iframe')
export const dialog = () => page.locator('dialog')
export const endings = () => page.evaluate(() => window.endings)
export const untilEnded = (number = 1) => page.waitForFunction((count) => window.endings.length >= count, number)

export async function enter(number: string): Promise<void> {
  await field('cc-number').fill(number)
  await field('cc-exp').fill('12/30')
  await field('cc-csc').fill(number.startsWith('3') ? '1234' : '123')
  await field('cc-name').fill('Ann Example')
}

export async function payWith(number: string): Promise<void> {
  await enter(number)
  await page.locator('#pay').click()
}

export async function confirmAtBank(): Promise<void> {
  await bankPage().getByLabel('Code').fill('1234')
  await bankPage().getByRole('button', { name: 'Confirm' }).click()
}
