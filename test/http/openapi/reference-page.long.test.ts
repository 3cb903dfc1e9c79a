import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { EVENT_NAMES } from '../../../domain/webhook-event.ts'
import { ENDPOINTS } from '../../../src/api/endpoints.ts'
import { describeInBrowser, takePicture } from '../../support/chromium.ts'
import { launch } from '../../support/find-chromium.ts'
import { interfaceForFile } from '../interface.ts'

const TIMEOUT_MS = 180_000
const WAIT = { timeout: 120_000 }

describeInBrowser('the reference page', (chromium) => {
  const api = interfaceForFile()
  let browser: Browser
  let page: Page
  const hosts = new Set<string>()
  const complaints: string[] = []

  beforeAll(async () => {
    browser = await launch(chromium)
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`${api.url}/docs`)
    await page.waitForSelector('.opblock-tag', WAIT)
  }, TIMEOUT_MS)

  afterAll(async () => {
    await browser?.close()
  }, TIMEOUT_MS)

  test('shows every operation, loads nothing from elsewhere, and breaks no rule of its policy', async () => {
    const paths = await page.locator('.opblock-summary-path').count()
    expect(paths).toBe(ENDPOINTS.length + Object.keys(EVENT_NAMES).length)
    await takePicture(page, 'reference')
    expect([...hosts]).toEqual([new URL(api.url).host])
    expect(complaints).toEqual([])
  })

  test(
    'shows an operation with its example and its errors, and offers nothing to be sent',
    async () => {
      await page.locator('#operations-Payments-voidInvoice .opblock-summary-control').click(WAIT)
      const operation = page.locator('#operations-Payments-voidInvoice')
      await operation.locator('.responses-wrapper').waitFor(WAIT)
      expect(await operation.innerText()).toContain('request.validation.invalid-state')
      expect(await operation.innerText()).toContain('"status": "voided"')
      expect(await page.locator('.try-out, .execute').count()).toBe(0)
      await takePicture(page, 'reference-operation')
    },
    TIMEOUT_MS,
  )
})
