import { afterAll, beforeAll } from '@jest/globals'

/** What a file, or a block in it, starts before its tests and stops after them; it is there once the tests run. */
export function forFile<Started extends { stop(): Promise<void> }>(start: () => Promise<Started>): Started {
  const started = {} as Started
  beforeAll(async () => {
    Object.assign(started, await start())
  })
  afterAll(() => started.stop())
  return started
}
