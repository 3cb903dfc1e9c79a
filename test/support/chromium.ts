import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe } from '@jest/globals'
import type { Page } from 'playwright-core'
import { saySkipped } from '../gateways/skipped.ts'
import { findChromium } from './find-chromium.ts'

/** Kept to be looked at, where somebody has asked for them. */
export const KEEPS_PICTURES = process.env.HOLDFAST_PICTURES !== undefined
const PICTURES = fileURLToPath(new URL('../../.test-data/browser/', import.meta.url))

/** Describes tests of a real browser, which get its executable. Skipped, and said aloud, where the machine has none. */
export function describeInBrowser(what: string, tests: (executable: string) => void): void {
  const executable = findChromium()
  if (executable === null)
    saySkipped(
      `${what}, in Chromium`,
      'there is no Chromium: "apt-get install chromium-headless-shell" or "chromium", or set CHROMIUM_PATH',
    )
  const describeOrSkip = executable === null ? describe.skip : describe
  describeOrSkip(`${what}, in Chromium`, () => tests(executable ?? ''))
}

/** Keeps a picture of what the window shows, or of the whole page, in a run with `HOLDFAST_PICTURES=1`. */
export async function takePicture(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  if (!KEEPS_PICTURES) return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage, animations: 'disabled' })
}
