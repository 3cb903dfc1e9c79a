import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from '@jest/globals'

/** How to stop what runs, the newest last: it may need what was started before it. */
const stops: (() => Promise<void> | void)[] = []

/**
 * What a file, or a block in it, starts before its tests; it is there once the tests run.
 *
 * @param stop runs after the tests, and after that of whatever was started later.
 */
export function forFile<Started extends object>(
  start: () => Promise<Started>,
  stop: (started: Started) => Promise<void> | void = () => undefined,
): Started {
  const started = {} as Started
  beforeAll(async () => {
    // Keeps getters, which tell what is true when they are asked.
    Object.defineProperties(started, Object.getOwnPropertyDescriptors(await start()))
    stops.push(() => stop(started))
  })
  afterAll(() => stops.pop()?.())
  return started
}

/** The same, for what stops by itself. */
export function runningForFile<Started extends { stop(): Promise<void> }>(start: () => Promise<Started>): Started {
  return forFile(start, (started) => started.stop())
}

/** The same, for what closes by itself. */
export function openForFile<Opened extends { close(): Promise<void> }>(open: () => Promise<Opened>): Opened {
  return forFile(open, (opened) => opened.close())
}

/** An empty folder of the file's own, which is gone after its tests. */
export function folderForFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-test-'))
  beforeAll(() => void stops.push(() => rmSync(folder, { recursive: true, force: true })))
  afterAll(() => stops.pop()?.())
  return folder
}
