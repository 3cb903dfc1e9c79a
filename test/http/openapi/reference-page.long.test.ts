import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { EVENT_NAMES } from '../../../domain/webhook-event.ts'
import { ENDPOINTS } from '../../../src/api/endpoints.ts'
import { makeAccount, PASSWORD } from '../../dashboard/browser.ts'
import { describeInBrowser, takePicture } from '../../support/chromium.ts'
import { launch } from '../../support/find-chromium.ts'
import { interfaceForFile } from '../interface.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describeInBrowser('the reference page', (chromium) => {
  const api = interfaceForFile({ sandboxKey: () => 'key_sandbox_shown' })
  let browser: Browser
  let page: Page
  const hosts = new Set<string>()
  const complaints: string[] = []

  const open = async (width: number, colorScheme: 'light' | 'dark') => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
    page = await context.newPage()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${api.url}/docs`)
  }

  beforeAll(async () => {
    browser = await launch(chromium)
    await open(1440, 'light')
  })

  afterAll(async () => {
    await browser?.close()
  })

  test('shows everything, loads nothing from elsewhere, and breaks no rule of its policy', async () => {
    expect(await page.locator('article.operation').count()).toBe(ENDPOINTS.length)
    expect(await page.locator('.events > div').count()).toBe(Object.keys(EVENT_NAMES).length)
    const operation = page.locator('#voidInvoice')
    await operation.scrollIntoViewIfNeeded()
    expect(await operation.textContent()).toContain('request.validation.invalid-state')
    expect(await operation.textContent()).toContain('"status": "voided"')
    expect([...hosts]).toEqual([new URL(api.url).host])
    expect(complaints).toEqual([])
  })

  test.each([
    ['test card', 'Test cards', '/docs/test-cards'],
    ['webhook signature', 'Verify the signature', '/docs/topics/webhooks'],
    ['idempotency', 'Idempotency', '/docs/topics/api'],
    ['card.do-not-honor', 'card.do-not-honor', '/docs/errors'],
    ['refund', 'Refund an invoice', '/docs'],
  ])('finds for "%s" first what is called so: %s', async (words, title, path) => {
    await page.locator('#find').fill(words)
    const first = page.locator('#hits a').first()
    await page.locator('#hits a', { hasText: title }).first().waitFor()
    expect(await first.evaluate((link) => link.firstChild?.textContent)).toBe(title)
    expect(new URL(await first.evaluate((link) => (link as unknown as { href: string }).href)).pathname).toBe(path)
    await page.locator('#find').fill('')
    await page.locator('#find').blur()
  })

  test('leads to guides, test cards and error codes', async () => {
    const links = await page
      .locator('nav a:not([href^="#"])')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    expect(links).toEqual(expect.arrayContaining(['docs/guides/quickstart', 'docs/test-cards', 'docs/errors']))
  })

  test('finds operations by their fields, and keeps the language of samples', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('auto_capture_at')
    expect(await page.locator('#hits a').first().innerText()).toContain('auto_capture_at')
    expect(await page.locator('#hits').innerText()).toContain('Authorize an invoice')
    await page.keyboard.press('Escape')
    await page.locator('#createInvoice [data-choose=Python]').click()
    await page.reload()
    const sample = page.locator('#createInvoice .sample pre:not([hidden])').first()
    expect(await sample.textContent()).toContain(`'${api.url}/invoices'`)
    expect(complaints).toEqual([])
  })

  test('fills in the sandbox of who is signed in, and of nobody else', async () => {
    const sample = page.locator('#createInvoice .sample pre:not([hidden])').first()
    await page.locator('#fill').click()
    await page.getByText('Sign in to the dashboard first.').waitFor()
    expect(await sample.textContent()).toContain("('test-proj_…', 'key_…')")
    const { email } = await makeAccount(api, { roles: { [api.merchant.projectId]: 'owner' } })
    await page.context().request.post(`${api.url}/dashboard/session`, {
      data: { email, password: PASSWORD },
      headers: { origin: api.url },
    })
    await page.locator('#fill').click()
    await page.getByText('Filled in for').waitFor()
    expect(await sample.textContent()).toContain(`('test-${api.merchant.projectId}', 'key_sandbox_shown')`)
    // Next time without being asked.
    await page.reload()
    await page.getByText('Filled in for').waitFor()
  })

  describe.each([1440, 390])('%s pixels wide', (width) => {
    test.each(['light', 'dark'] as const)('has no barriers in %s', async (scheme) => {
      await open(width, scheme)
      await takePicture(page, `reference-${width}-${scheme}`)
      // What is folded up or out of sight is looked at as well.
      await page.evaluate(`
          document.styleSheets[0].insertRule('.operation { content-visibility: visible !important }')
          for (const one of document.querySelectorAll('.operation details')) one.open = true`)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      // The other parts are made as these are, and axe takes most of its time to find its way through them.
      await page.evaluate(`
          for (const one of document.querySelectorAll('main > :not(#introduction, #invoices)')) one.remove()`)
      await page.evaluate(`${AXE}; 0`)
      const found = await page.evaluate(
        'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id }) => id))',
      )
      expect(found).toEqual([])
      for (const path of width === 390 ? ['guides/webhooks'] : ['topics/api']) {
        await page.goto(`${api.url}/docs/${path}`)
        await takePicture(page, `docs-${path.replace('/', '-')}-${width}-${scheme}`)
        await page.evaluate(`${AXE}; 0`)
        const there = await page.evaluate(
          'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id }) => id))',
        )
        expect([path, there]).toEqual([path, []])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      }
    })
  })
})
