import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals'
import type { Browser, BrowserContext, BrowserContextOptions, FrameLocator, Locator, Page } from 'playwright-core'
import { describeInBrowser, KEEPS_PICTURES, takePicture } from '../support/chromium.ts'
import { launch as launchBrowser } from '../support/find-chromium.ts'
import { listen } from '../support/listen.ts'
import type { Stack } from '../support/stack.ts'
import { stackForFile } from '../support/stack-for-file.ts'

/** Test cards by how they pay. */
export const CARDS = {
  approved: '4242424242424242',
  declined: '4000000000002180',
  challenge: '4000000000000101',
  challengeFails: '4000000000007130',
} as const

/** A window of the browser, with storage of its own. */
interface Window {
  context: BrowserContext
  page: Page
  /** Every request of the window with its body, to whomever. */
  requests: { url: string; body: string }[]
  /** What the browser has complained about: errors of scripts, refusals of a policy. */
  complaints: string[]
}

export interface Stage extends Window {
  stack: Stack
  browser: Browser
  /** Of a merchant that uses the hosted page only. */
  merchant: Site
}

interface Site {
  url: string
  /** The addresses that were asked for, oldest first. */
  asked: string[]
  /** Its pages by path, beside the one that every other path has. */
  pages: Map<string, { html: string; policy: string }>
  stop(): Promise<void>
}

export let stage: Stage

/**
 * Describes what happens between a browser, a shop and a whole service. Skipped, and said aloud, where the machine has no
 * Chromium. At its end the traces of all payments are looked through for card data: logs, histories, rows.
 */
export function describeInChromium(what: string, tests: () => void): void {
  describeInBrowser(what, (executable) => {
    // Before the stack stops, of which the pages go on to ask.
    afterAll(async () => {
      await stage?.browser.close()
      await stage?.merchant.stop()
    })
    const stack = stackForFile()
    beforeAll(async () => {
      // So that the stack knows which numbers must not be found anywhere.
      for (const number of Object.values(CARDS)) await stack.createCard({ number })
      const browser = await launchBrowser(executable)
      stage = { stack, browser, merchant: await openMerchant(), ...(await openWindow(browser)) }
    })
    beforeEach(() => newPage())
    afterEach(async () => {
      await expectNoCardData()
      await stage.context.close()
    })
    tests()
  })
}

/** Replaces the page by one of another browser window. */
export async function newPage(options: BrowserContextOptions = {}): Promise<void> {
  await stage.context.close()
  Object.assign(stage, await openWindow(stage.browser, options))
}

async function openWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<Window> {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 900 },
    locale: 'en-GB',
    // What turns while a payment is waited for would be drawn sixty times a second, in tests that wait for half a minute.
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  const opened: Window = { context, page, requests: [], complaints: [] }
  const { requests, complaints } = opened
  context.on('request', (request) => requests.push({ url: request.url(), body: request.postData() ?? '' }))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (/Content Security|Trusted|Refused/i.test(message.text())) complaints.push(message.text())
  })
  return opened
}

/** Whether the number of a card stands in a text, however it is written. */
export const holdsCard = (text: string) =>
  Object.values(CARDS).some((number) => text.replaceAll(/[\s+-]|%20/g, '').includes(number))

/** Only the service is sent a card's number, and only where cards are stored; no storage of the browser keeps it. */
async function expectNoCardData(): Promise<void> {
  const { context, requests, stack, merchant } = stage
  const sent = requests.filter(({ url, body }) => holdsCard(url) || holdsCard(body)).map(({ url }) => url)
  expect(sent.filter((url) => url.split('?')[0] !== `${stack.baseUrl}/cards`)).toEqual([])
  const stored = await Promise.all(
    context
      .pages()
      .flatMap((page) =>
        page
          .frames()
          .map((frame) =>
            frame.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])').catch(() => ''),
          ),
      ),
  )
  expect(stored.filter((text) => holdsCard(String(text)))).toEqual([])
  expect(holdsCard(JSON.stringify(await context.storageState({ indexedDB: true })))).toBe(false)
  expect(holdsCard(merchant.asked.join())).toBe(false)
}

/** A merchant's server that has one page to come back to. */
async function openMerchant(): Promise<Site> {
  const asked: string[] = []
  const pages: Site['pages'] = new Map()
  const { url, close } = await listen((request, response) => {
    asked.push(String(request.url))
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    const page = pages.get(String(request.url))
    if (page !== undefined) {
      response.setHeader('Content-Security-Policy', page.policy)
      return response.end(page.html)
    }
    return response.end('<!doctype html><html lang="en"><title>Shop</title><h1>Back in the shop</h1></html>')
  })
  return {
    url: url.replace('127.0.0.1', 'localhost'),
    asked,
    pages,
    stop: close,
  }
}

export const cardForm = (): FrameLocator => stage.page.frameLocator('#card iframe')
export const cardField = (id: string): Locator => cardForm().locator(`#${id}`)
/** The bank's page in the dialog: a frame of the service with a frame of the bank. */
export const bankPage = (): FrameLocator => stage.page.frameLocator('#bank').frameLocator('iframe')
export const payButton = (): Locator => stage.page.locator('button[name="pay"], #pay, #checkout button').first()

export async function enterCard(number: string, name = 'Ann Example'): Promise<void> {
  await cardField('cc-number').fill(number)
  await cardField('cc-exp').fill('12/30')
  await cardField('cc-csc').fill('123')
  await cardField('cc-name').fill(name)
}

export async function payWith(number: string, name?: string): Promise<void> {
  await enterCard(number, name)
  await payButton().click()
}

export async function answerBank(code = '1234'): Promise<void> {
  // By their names in the form, since the bank speaks the page's language.
  await bankPage().locator('[name="code"]').fill(code)
  await bankPage().locator('[value="confirm"]').click()
}

/** Keeps a picture to be looked at: of the whole page, or of the window where a dialog covers that. */
export async function keepPicture(name: string): Promise<void> {
  if (!KEEPS_PICTURES) return
  const { page } = stage
  const window = page.viewportSize()
  const isWhole = window !== null && (await page.locator('dialog').count()) === 0
  if (isWhole) {
    // By `fullPage` the frame of another origin would be painted while it has no width yet.
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
    await page.setViewportSize({ ...window, height: Math.max(height, window.height) })
    await page.waitForTimeout(300)
  }
  await takePicture(page, name)
  if (isWhole) await page.setViewportSize(window)
}

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds serious in the page and in its frames, each looked at by itself. */
export async function seriousBarriers(): Promise<unknown[]> {
  const { page } = stage
  const behind = await page.evaluate('getComputedStyle(document.body).backgroundColor')
  const found: { id: string; impact: string; nodes: { html: string }[] }[] = []
  for (const frame of page.frames()) {
    // Looked at by itself, a transparent frame would count as white.
    if (frame.url().includes('card-form'))
      await frame.evaluate(`document.body.style.setProperty('background', '${behind}')`)
    await frame.evaluate(await axe)
    const run = 'axe.run(document, { iframes: false, resultTypes: ["violations"] })'
    found.push(...((await frame.evaluate(run)) as { violations: typeof found }).violations)
  }
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}
