import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { Shutdown, StopStep } from '../../src/shutdown.ts'
import { createOutages } from '../../src/sweeps/outages.ts'
import { startSweep } from '../../src/sweeps/sweep.ts'
import { type CapturedLog, captureLog } from '../support/captured-log.ts'
import { waitFor } from '../support/wait-for.ts'

const INTERVAL_MS = 10

const steps: StopStep[] = []
afterEach(async () => {
  for (const step of steps.splice(0)) await step.stop()
})

/** Starts a sweep that counts its runs. */
function start(run: (count: number, stopping: AbortSignal) => Promise<void>, log: CapturedLog = captureLog()) {
  const counts = { runs: 0, atOnce: 0, mostAtOnce: 0 }
  const sweep = {
    name: 'The sweep of nothing',
    intervalMs: INTERVAL_MS,
    async run(stopping: AbortSignal) {
      counts.runs += 1
      counts.atOnce += 1
      counts.mostAtOnce = Math.max(counts.mostAtOnce, counts.atOnce)
      try {
        await run(counts.runs, stopping)
      } finally {
        counts.atOnce -= 1
      }
    },
  }
  startSweep(sweep, createOutages(log.logger), {
    add: (step: StopStep) => void steps.push(step),
  } as unknown as Shutdown)
  return { counts, stop: () => (steps.at(-1) as StopStep).stop() }
}

const messagesIn = (log: CapturedLog) =>
  log
    .text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg)

test('an outage of a server is told once, whoever notices it how often, with the reason and no statement', () => {
  const log = captureLog()
  const outages = createOutages(log.logger)
  const refused = Object.assign(new Error('select 4242 - connect ECONNREFUSED db:5432'), { code: 'ECONNREFUSED' })
  const away = Object.assign(new Error('14 UNAVAILABLE: tcp connect error'), { code: 14 })
  for (const who of ['A', 'B', 'A']) outages.failed(who, new Error('outer', { cause: refused }))
  outages.failed('B', away)
  outages.worked('C')
  outages.worked('A')
  outages.worked('A')
  outages.worked('B')
  expect(messagesIn(log)).toEqual([
    'PostgreSQL does not answer: connect ECONNREFUSED db:5432',
    'Temporal does not answer: 14 UNAVAILABLE: tcp connect error',
    'PostgreSQL answers again',
    'Temporal answers again',
  ])
  outages.failed('A', Object.assign(new Error('canceling statement'), { code: '57014' }))
  expect(messagesIn(log).at(-1)).toBe('A has failed and is tried again')
})

describe('a sweep', () => {
  test('never runs twice at a time, however long it takes', async () => {
    const { counts } = start(() => sleep(5 * INTERVAL_MS))
    await waitFor(() => counts.runs >= 4)
    expect(counts.mostAtOnce).toBe(1)
  })

  test('begins at once, and again and again', async () => {
    const { counts } = start(async () => {})
    expect(counts.runs).toBe(1)
    await waitFor(() => counts.runs >= 3)
  })

  test.each([
    ['asynchronously', () => Promise.reject(new Error('no database'))],
    [
      'at once',
      () => {
        throw new Error('no database')
      },
    ],
  ])('that fails %s again and again is logged once, and once when it works again', async (_, fail) => {
    const log = captureLog()
    const { counts } = start((count) => (count < 4 ? fail() : Promise.resolve()), log)
    await waitFor(() => counts.runs >= 6)
    expect(messagesIn(log)).toEqual([
      'The sweep of nothing has failed and is tried again',
      'The sweep of nothing works again',
    ])
    expect(log.text()).toContain('no database')
  })

  test('ends with the process: what runs is told, waited for and not begun again, and says nothing', async () => {
    const log = captureLog()
    let isOver = false
    const { counts, stop } = start(async (_, stopping) => {
      await new Promise((resolve) => stopping.addEventListener('abort', resolve))
      await sleep(3 * INTERVAL_MS)
      isOver = true
      throw new Error('interrupted')
    }, log)
    await stop()
    expect(isOver).toBe(true)
    await sleep(3 * INTERVAL_MS)
    expect(counts.runs).toBe(1)
    expect(log.text()).toBe('')
  })
})
