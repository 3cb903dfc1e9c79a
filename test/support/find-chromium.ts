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

export function launch(executablePath: string): Promise<Browser> {
  // Chromium's sandbox cannot be had by root, or in most containers.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
