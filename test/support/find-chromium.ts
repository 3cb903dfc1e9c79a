import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** By preference: the shell is the same browser without its windows, and takes two thirds of the CPU. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
] as const

/** The Chromium of this machine: that of `CHROMIUM_PATH`, or of the path. Null without one. */
export function findChromium(): string | null {
  const { CHROMIUM_PATH: given, PATH = '' } = process.env
  const candidates = NAMES.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)))
  return [...(given === undefined ? [] : [given]), ...candidates].find(isExecutable) ?? null
}

/** As in `waitFor`: a page shows what is looked for at once, and a busy machine takes its time. */
const PATIENCE_MS = 120_000

export async function launch(executablePath: string): Promise<Browser> {
  // Chromium's sandbox cannot be had by root, or in most containers.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS))
  return browser
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
