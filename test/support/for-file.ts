import { afterAll, beforeAll } from '@jest/globals'

/**
 * What a file, or a block in it, starts before its tests; it is there once the tests run.
 *
 * @param stop runs after the tests.
 */
export function forFile<Started extends object>(
  start: () => Promise<Started>,
  stop: (started: Started) => Promise<void> | void = () => undefined,
): Started {
  const started = {} as Started
  beforeAll(async () => {
    // Keeps getters, which tell what is true when they are asked.
    Object.defineProperties(started, Object.getOwnPropertyDescriptors(await start()))
  })
  afterAll(() => stop(started))
  return started
}

/** The same, for what stops by itself. */
export function runningForFile<Started extends { stop(): Promise<void> }>(start: () => Promise<Started>): Started {
  return forFile(start, (started) => started.stop())
}
