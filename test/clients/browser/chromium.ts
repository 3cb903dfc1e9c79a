import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe } from '@jest/globals'
import { saySkipped } from '../../gateways/skipped.ts'
import { findChromium } from './find-chromium.ts'

/** Kept by every run, to be looked at. */
const PICTURES = fileURLToPath(new URL('../../../.test-data/browser/', import.meta.url))

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

/** Where a picture of this name is kept. */
export function pictureOf(name: string): string {
  mkdirSync(PICTURES, { recursive: true })
  return join(PICTURES, `${name}.png`)
}
