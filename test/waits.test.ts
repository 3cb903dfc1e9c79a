import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { SERVICE_LIMITS } from '../src/persistence/limits.ts'
import { PRODUCTION_WAITS } from '../src/waits.ts'

/** Clients, and proxies before the service, commonly give up by then. */
const CALLERS_WAIT_MS = 60_000

/** A payment's commands that run one after the other; Temporal refuses more of them at once. */
const IN_LINE_MAX = 8

test('production waits as long as the documentation says', () => {
  expect(PRODUCTION_WAITS).toEqual({
    answerMs: 30_000,
    connectionTestMs: 10_000,
    turnMs: 5_000,
    lockMs: 5_000,
    beginningMs: 12_000,
    permitMs: 3_000,
    idempotencyMs: 5_000,
    testClockMs: 5_000,
    filterMs: 1_000,
    dryRunMs: 5_000,
    takeoverMs: 8_000,
    healthMs: 2_000,
  })
})

test('a merchant is answered before the merchant gives up, though every wait after the first is as long as it can be', () => {
  const { turnMs, answerMs, beginningMs, lockMs } = PRODUCTION_WAITS
  // The turn at the payment, the answer, the withdrawal, the turn at the lock of the payment, and that lock.
  expect(turnMs + answerMs + beginningMs + 2 * lockMs).toBeLessThan(CALLERS_WAIT_MS)
})

test('a command that a frozen process has begun is no longer in doubt when its withdrawal gives up', () => {
  expect(PRODUCTION_WAITS.beginningMs).toBeGreaterThan(SERVICE_LIMITS.idleInTransactionMs)
})

test('all commands in line of a payment that somebody holds are answered while their callers wait', () => {
  const schema = readFileSync(new URL('../src/database/sql/functions/open-payment.sql', import.meta.url), 'utf8')
  const seconds = Number(/set lock_timeout = '(\d+)s'/.exec(schema)?.[1])
  expect(seconds).toBe(2)
  expect(IN_LINE_MAX * seconds * 1000).toBeLessThan(PRODUCTION_WAITS.answerMs)
})
