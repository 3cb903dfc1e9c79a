import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals'
import axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Role } from '../../domain/role.ts'
import { makeAccount, PASSWORD } from '../http/dashboard/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { launch } from '../support/find-chromium.ts'
import { makeReceiver, type Receiver } from '../support/receiver.ts'
import { makeStack, type Stack } from '../support/stack.ts'

const SLOW_MS = 120_000

export interface DashboardStage {
  stack: Stack
  browser: Browser
  context: BrowserContext
  page: Page
  /** A server of the merchant that gets webhooks. */
  receiver: Receiver
  /** What the browser has complained about: errors of scripts, refusals of the content security policy. */
  complaints: string[]
}

export let stage: DashboardStage

/**
 * Describes the pages of the dashboard, served by a whole service, in a browser window of its own for each test. Skipped,
 * and said aloud, where the machine has no Chromium.
 */
export function describeDashboard(what: string, tests: () => void): void {
  describeInBrowser(what, (executable) => {
    beforeAll(async () => {
      const stack = await makeStack({ mode: 'together' })
      const [browser, receiver] = await Promise.all([launch(executable), makeReceiver()])
      stage = { stack, browser, receiver, ...(await openWindow(browser)) }
    }, SLOW_MS)
    afterAll(async () => {
      await stage?.browser.close()
      await stage?.stack.stop()
      await stage?.receiver.stop()
    }, SLOW_MS)
    beforeEach(() => newWindow())
    afterEach(() => expect(stage.complaints).toEqual([]))
    tests()
  })
}

/** Replaces the window by one that knows no session. */
export async function newWindow(options: BrowserContextOptions = {}): Promise<void> {
  await stage.context.close()
  Object.assign(stage, await openWindow(stage.browser, options))
}

async function openWindow(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Vienna',
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
  await stage.page.goto(addressOf(path))
  await stage.page.getByRole('heading', { level: 1, name: title }).waitFor()
  await stage.page.locator('main .loading').first().waitFor({ state: 'detached' })
}

export async function newAccount(role: Role): Promise<{ id: string; email: string }> {
  return makeAccount(stage.stack, { roles: { [stage.stack.project.id]: role } })
}

export async function enterCredentials(email: string, password = PASSWORD): Promise<void> {
  await stage.page.getByLabel('Email').fill(email)
  await textbox('Password').fill(password)
  await button('Sign in').click()
}

/** Signs a new person in, as this role, who then sees the overview of the sandbox. */
export async function signInAs(role: Role): Promise<{ id: string; email: string }> {
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
export const link = (name: Name) => stage.page.getByRole('link', { name, exact: true }).first()
export const dialog = () => stage.page.getByRole('dialog')
export const section = (name: Name) => stage.page.getByRole('region', { name, exact: true })
export const row = (text: Name) => stage.page.getByRole('row').filter({ hasText: text })
/** Waits until a text can be seen. */
export const seen = (text: Name, within: Page | Locator = stage.page) => within.getByText(text).first().waitFor()

/** Everything that axe finds in the page, whatever it weighs. */
export async function barriers(): Promise<unknown[]> {
  await stage.page.evaluate(axe.source)
  const run = 'axe.run(document, { resultTypes: ["violations"] })'
  const { violations } = (await stage.page.evaluate(run)) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
  }
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])])
}
