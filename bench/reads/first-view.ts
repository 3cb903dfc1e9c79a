import type { Browser } from 'playwright-core'
import type { Shutdown } from '../../src/shutdown.ts'
import { findChromium, launch } from '../../test/clients/browser/find-chromium.ts'
import { monotonicMs } from '../measure/clock.ts'
import type { DashboardProject } from './dashboard-project.ts'

/** Opens pages in a Chromium that has never seen them, and tells the milliseconds until they are there. */
export interface FirstView {
  /** The overview with its figures, its charts and the latest payments. */
  openDashboard(): Promise<number>
  /** Any other address, until it is loaded. */
  open(address: string): Promise<number>
}

/** @returns null where the machine has no Chromium. */
export async function startFirstView(
  baseUrl: string,
  { name, cookie }: DashboardProject,
  shutdown: Shutdown,
): Promise<FirstView | null> {
  const executable = findChromium()
  if (executable === null) return null
  const browser = await launch(executable)
  shutdown.add({ name: 'Chromium', stop: () => browser.close() })
  const [key = '', value = ''] = cookie.split('=')
  const signedIn = { name: key, value, url: baseUrl }
  return {
    openDashboard: () =>
      inNewWindow(browser, async (page) => {
        await page.context().addCookies([signedIn])
        const startedAt = monotonicMs()
        await page.goto(`${baseUrl}/dashboard/#/${name}`, { waitUntil: 'commit' })
        await page.locator('.tile-value').first().waitFor()
        await page.getByRole('region', { name: 'Latest payments' }).getByRole('row').nth(1).waitFor()
        await page.locator('main .loading').first().waitFor({ state: 'detached' })
        return monotonicMs() - startedAt
      }),
    open: (address) =>
      inNewWindow(browser, async (page) => {
        const startedAt = monotonicMs()
        await page.goto(address)
        return monotonicMs() - startedAt
      }),
  }
}

async function inNewWindow<Result>(
  browser: Browser,
  run: (page: Awaited<ReturnType<Browser['newPage']>>) => Promise<Result>,
): Promise<Result> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  try {
    return await run(page)
  } finally {
    await page.close()
  }
}
