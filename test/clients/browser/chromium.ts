import { accessSync, constants, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe } from '@jest/globals'
import { type Browser, chromium } from 'playwright-core'
import { saySkipped } from '../../gateways/skipped.ts'

/** By preference: the shell is the same browser without its windows, and takes two thirds of the CPU. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
] as const

/** Kept by every run, to be looked at. */
const PICTURES = fileURLToPath(new URL('../../../.test-data/browser/', import.meta.url))

/** The Chromium of this machine: that of `CHROMIUM_PATH`, or of the path. Null without one. */
function findChromium(): string | null {
  const { CHROMIUM_PATH: given, PATH = '' } = process.env
  const candidates = NAMES.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)))
  return [...(given === undefined ? [] : [given]), ...candidates].find(isExecutable) ?? null
}

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

export function launch(executablePath: string): Promise<Browser> {
  // Chromium's sandbox cannot be had by root, or in most containers.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

/** Where a picture of this name is kept. */
export function pictureOf(name: string): string {
  mkdirSync(PICTURES, { recursive: true })
  return join(PICTURES, `${name}.png`)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
