import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import axe from 'axe-core'
import type { Browser } from 'playwright-core'
import { ROOT } from '../../scripts/site/pages.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { launch } from '../support/find-chromium.ts'
import { folderForFile } from '../support/for-file.ts'
import { listen } from '../support/listen.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

const folder = folderForFile()

test('is built by npm run site, and no link leads nowhere', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/site.ts', folder], { cwd: ROOT })
  expect(stdout).toContain(`The site is in ${folder}.`)
})

describeInBrowser('the built site', (executable) => {
  let server: Awaited<ReturnType<typeof listen>>
  let browser: Browser

  beforeAll(async () => {
    server = await listen(async (request, response) => {
      const path = join(folder, new URL(String(request.url), 'http://site').pathname)
      const file = [path, `${path}.html`, join(path, 'index.html')].find(
        (one) => existsSync(one) && statSync(one).isFile(),
      )
      if (file === undefined) return response.writeHead(404).end()
      return response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? '' }).end(await readFile(file))
    })
    browser = await launch(executable)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  test.each([
    [390, 'light'],
    [390, 'dark'],
    [1440, 'light'],
    [1440, 'dark'],
  ] as const)('fits a window of %d, in the colours of a %s system', async (width, colorScheme) => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
    for (const path of ['/', '/dashboard.html']) {
      await page.goto(server.url + path)
      const shown = page.locator('.vp-doc img:visible').first()
      await shown.scrollIntoViewIfNeeded()
      expect(await shown.getAttribute('class')).toBe(`only-${colorScheme}`)
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      await page.evaluate(axe.source)
      const run = 'axe.run(".VPContent", { resultTypes: ["violations"] })'
      const { violations } = (await page.evaluate(run)) as {
        violations: { id: string; impact: string; nodes: unknown[] }[]
      }
      expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
    }
    await page.close()
  })

  test('draws a diagram', async () => {
    const page = await browser.newPage()
    await page.goto(`${server.url}/architecture.html`)
    await page.locator('.diagram svg').first().waitFor()
    await page.close()
  })

  test('finds the name of a field as one word, and by its parts', async () => {
    const page = await browser.newPage()
    await page.goto(`${server.url}/api.html`)
    await page.locator('.VPNavBarSearch button').first().click()
    const results = page.locator('#localsearch-list li[role=option]')
    const find = async (words: string) => {
      await page.locator('#localsearch-input').fill('')
      await results.first().waitFor({ state: 'detached' })
      await page.locator('#localsearch-input').fill(words)
      await page.waitForFunction(
        `document.querySelector('.no-results') || document.querySelector('#localsearch-list li[role=option]')`,
      )
      return results.allInnerTexts()
    }
    const field = await find('auto_capture_at')
    const parts = await find('capture auto')
    expect(field.length).toBeGreaterThan(3)
    expect(parts.length).toBeGreaterThan(3)
    // Pages have each of its words, and words like them.
    expect(await find('auto_capture_all')).toEqual([])
    await page.close()
  })
})
