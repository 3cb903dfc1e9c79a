import { afterAll, afterEach, beforeAll, expect } from '@jest/globals'
import axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Role } from '../../../../domain/role.ts'
import { makeAccount, PASSWORD } from '../../../../test/dashboard/browser.ts'
import { describeInBrowser } from '../../../../test/support/chromium.ts'
import { launch } from '../../../../test/support/find-chromium.ts'
import { makeReceiver, type Receiver } from '../../../../test/support/receiver.ts'
import type { Stack } from '../../../../test/support/stack.ts'
import { stackForFile } from '../../../../test/support/stack-for-file.ts'

interface Window {
  context: BrowserContext
  page: Page
  /** What the browser has complained about: errors of scripts, refusals of the content security policy. */
  complaints: string[]
}

interface Account {
  id: string
  email: string
}

export interface DashboardStage extends Window {
  stack: Stack
  browser: Browser
  /** A server of the merchant that gets webhooks. */
  receiver: Receiver
}

export let stage: DashboardStage

/** A window for each role, signed in: to load the pages and to sign in takes longer than most tests. */
const signedIn = new Map<Role, { window: Window; account: Account }>()

/**
 * Describes the pages of the dashboard, served by a whole service. Skipped, and said aloud, where the machine has no
 * Chromium.
 */
export function describeDashboard(what: string, tests: () => void): void {
  describeInBrowser(what, (executable) => {
    // Before the stack stops, of which the pages go on to ask.
    afterAll(async () => {
      await stage?.browser.close()
      await stage?.receiver.stop()
      signedIn.clear()
    })
    const stack = stackForFile()
    beforeAll(async () => {
      const [browser, receiver] = await Promise.all([launch(executable), makeReceiver()])
      stage = { stack, browser, receiver, ...(await openWindow(browser)) }
    })
    afterEach(() => expect(stage.complaints.splice(0)).toEqual([]))
    tests()
  })
}

/** Leaves the window for one that knows no session. */
export async function newWindow(options: BrowserContextOptions = {}): Promise<void> {
  Object.assign(stage, await openWindow(stage.browser, options))
}

async function openWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<Window> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Vienna',
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // That an answer is an error, such as the first question who is signed in, is no defect of the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  return { context, page, complaints }
}

/** The id of the project as the pages have it in their addresses. */
export function projectId({ live = false } = {}): string {
  return `${live ? '' : 'test-'}${stage.stack.project.id}`
}

/** The address of a page of the sandbox: `/payments?status=failed`. */
export function addressOf(path = ''): string {
  return `${stage.stack.baseUrl}/dashboard/#/${projectId()}${path}`
}

/** Opens a page that is signed in to, and waits until it has been read. */
export async function openPage(path: string, title: string | RegExp): Promise<void> {
  await arriveAt(path)
  await stage.page.getByRole('heading', { level: 1, name: title }).waitFor()
  await stage.page.locator('main .loading').first().waitFor({ state: 'detached' })
}

/**
 * Goes to a page that is signed in to, and waits until it is the one that is shown. Only the part behind the hash changes, so
 * the browser is done before the page before has gone, which may have the same title, and rows with the same texts.
 */
export async function arriveAt(path: string): Promise<void> {
  const { page, stack } = stage
  const address = addressOf(path)
  const isElsewhere = page.url() !== address
  await page.goto(address)
  // The shell marks the entry of the history as soon as it shows it: see `useArrival`.
  if (isElsewhere) await stack.waitFor(() => page.evaluate('history.state !== null'))
}

/** Opens the page of a payment of 29.00 EUR, or of one with another title. */
export const openPayment = (invoiceId: string, title = /€29\.00/) => openPage(`/payments/${invoiceId}`, title)

/** Of the merchant's transaction, as the interface tells it now. */
export async function transactionOf(invoiceId: string) {
  const { body } = await stage.stack.get(`/invoices/${invoiceId}?expand=transaction.operations,transaction.refunds`)
  return body.invoice.transaction
}

export const attemptsOf = async (invoiceId: string, type: string) =>
  (await transactionOf(invoiceId)).operations.filter(
    (operation: { type: string; is_attempt: boolean }) => operation.type === type && operation.is_attempt,
  )

/** A captured payment of 29.00 EUR. */
export async function capturedPayment(): Promise<string> {
  const { invoiceId } = await stage.stack.payInvoice()
  await stage.stack.post(`/invoices/${invoiceId}/capture`)
  return invoiceId
}

export async function newAccount(role: Role): Promise<Account> {
  return makeAccount(stage.stack, { roles: { [stage.stack.project.id]: role } })
}

export async function enterCredentials(email: string, password = PASSWORD): Promise<void> {
  await stage.page.getByLabel('Email').fill(email)
  await textbox('Password').fill(password)
  await button('Sign in').click()
}

/** Goes to the window of a person with this role, in which nothing of the test before is open. */
export async function signInAs(role: Role): Promise<Account> {
  const before = signedIn.get(role)
  if (before === undefined) {
    await newWindow()
    const account = await signInAnew(role)
    const { context, page, complaints } = stage
    signedIn.set(role, { window: { context, page, complaints }, account })
    return account
  }
  Object.assign(stage, before.window)
  await openPage('/account', 'Your account')
  return before.account
}

/** Signs a new person in, in the window that is there, which no other test gets. */
export async function signInAnew(role: Role): Promise<Account> {
  const account = await newAccount(role)
  await stage.page.goto(addressOf())
  await enterCredentials(account.email)
  await stage.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  return account
}

type Name = string | RegExp

/** A button by its name, which is the whole of it where it is a text. */
export const button = (name: Name, within: Page | Locator = stage.page) =>
  within.getByRole('button', { name, exact: true }).first()
export const textbox = (name: Name) => stage.page.getByRole('textbox', { name }).first()
export const searchbox = (name: Name) => stage.page.getByRole('searchbox', { name }).first()
export const link = (name: Name) => stage.page.getByRole('link', { name, exact: true }).first()
export const dialog = () => stage.page.getByRole('dialog')
export const section = (name: Name) => stage.page.getByRole('region', { name, exact: true })
export const row = (text: Name) => stage.page.getByRole('row').filter({ hasText: text })
/** Waits until a text can be seen. */
export const seen = (text: Name, within: Page | Locator = stage.page) => within.getByText(text).first().waitFor()

/** Reads the secret that is shown this once, and closes what shows it. */
export async function takeSecret(label: string): Promise<string> {
  const secret = await textbox(label).inputValue()
  await stage.page.keyboard.press('Escape')
  expect(await dialog().count()).toBe(1)
  await button('I have copied it').click()
  await dialog().waitFor({ state: 'detached' })
  expect(await stage.page.content()).not.toContain(secret)
  return secret
}

/** Everything that axe finds in the page, or in a part of it, whatever it weighs. */
export async function barriers(part?: 'main' | '[role=dialog]'): Promise<unknown[]> {
  const { page } = stage
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  // A colour on its way from the other scheme is none that anybody reads.
  await page.evaluate(
    'document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < 9e9).forEach((one) => one.finish())',
  )
  const run = `axe.run(${part === undefined ? 'document' : `'${part}'`}, { resultTypes: ["violations"] })`
  const { violations } = (await page.evaluate(run)) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
  }
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])])
}

const WINDOWS = {
  wide: { width: 1280, height: 900, colorScheme: 'light' },
  middle: { width: 1000, height: 900, colorScheme: 'light' },
  phone: { width: 360, height: 740, colorScheme: 'dark' },
} as const

/** Makes the window one of another size, in other colours. */
export async function resize(name: keyof typeof WINDOWS): Promise<void> {
  const { colorScheme, ...size } = WINDOWS[name]
  await stage.page.setViewportSize(size)
  await stage.page.emulateMedia({ colorScheme })
  // What the page measures of itself it measures in the frame after.
  await stage.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/** What does not fit: the page into its window, a table into a wide or a narrow page, an amount or a name into its place. */
export const overflowing = (): Promise<unknown> =>
  stage.page.evaluate(`[
    ...(document.documentElement.scrollWidth > innerWidth ? ['the page'] : []),
    ...[...document.querySelectorAll('.amounts dd, [role=dialog]' + (innerWidth === 1000 ? '' : ', .table-frame'))].filter(
      (one) => one.scrollWidth > one.clientWidth),
    ...[...document.querySelectorAll('td .truncate')].filter((name) =>
      name.getBoundingClientRect().right > name.closest('td').getBoundingClientRect().right),
  ].map((one) => one.textContent ?? one)`)
