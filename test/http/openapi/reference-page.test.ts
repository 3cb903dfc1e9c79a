import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { EVENT_NAMES } from '../../../domain/webhook-event.ts'
import { OPERATIONS } from '../../../src/http/openapi/operations/index.ts'
import { describeInBrowser, takePicture } from '../../support/chromium.ts'
import { launch } from '../../support/find-chromium.ts'
import { type Interface, startInterface } from '../interface.ts'

const TIMEOUT_MS = 180_000
const WAIT = { timeout: 120_000 }

describe('the files of the reference page', () => {
  let api: Interface

  beforeAll(async () => {
    api = await startInterface()
  })
  afterAll(() => api.stop())

  const load = (path: string) => fetch(new URL(path, api.url), { redirect: 'manual' })

  test('are these, and no other file of the library', async () => {
    for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'reference.js', 'reference.css']) {
      const answer = await load(`/docs/${file}`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toMatch(/^text\/(javascript|css)/)
      expect(answer.headers.get('content-encoding')).toBe('gzip')
    }
    for (const file of ['package.json', '..%2Fpackage.json', 'swagger-ui-bundle.js.map', '__proto__'])
      expect((await load(`/docs/${file}`)).status).toBe(404)
  })

  test('are found by the page under any path: its address ends without a slash', async () => {
    const answer = await load('/docs/')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '../docs'])
    const page = await (await load('/docs')).text()
    expect([...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address)).toEqual([
      'docs/swagger-ui.css',
      'docs/reference.css',
      'openapi.json',
      'docs/swagger-ui-bundle.js',
      'docs/reference.js',
    ])
  })
})

describeInBrowser('the reference page', (chromium) => {
  let api: Interface
  let browser: Browser
  let page: Page
  const hosts = new Set<string>()
  const complaints: string[] = []

  beforeAll(async () => {
    api = await startInterface()
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
    await api?.stop()
  }, TIMEOUT_MS)

  test('shows every operation, loads nothing from elsewhere, and breaks no rule of its policy', async () => {
    const paths = await page.locator('.opblock-summary-path').count()
    expect(paths).toBe(Object.keys(OPERATIONS).length + Object.keys(EVENT_NAMES).length)
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
