import { expect, test } from '@jest/globals'
import { type DeliveryState, describeDelivery, worstOf } from '../../domain/delivery-description.ts'

const state = (overrides: Partial<DeliveryState> = {}): DeliveryState => ({
  target: 'shop.example',
  status: 'pending',
  attempts: 0,
  lastAnswer: '',
  nextAttemptAt: null,
  ...overrides,
})
const delivered = state({ status: 'delivered', attempts: 1, lastAnswer: 'HTTP 200' })
const tried = state({ attempts: 5, lastAnswer: 'HTTP 503', nextAttemptAt: '2026-11-21T09:00:00.000Z' })
const failed = state({ status: 'failed', attempts: 13, lastAnswer: 'connection_refused' })

test.each<[string, DeliveryState]>([
  ['shop.example: the first attempt is due', state()],
  ['shop.example: delivered by the first attempt, HTTP 200', delivered],
  ['shop.example: delivered by retry 2 of 12, HTTP 204', state({ ...delivered, attempts: 3, lastAnswer: 'HTTP 204' })],
  ['shop.example: not delivered by 5 attempts, the last: HTTP 503; retry 5 of 12 at 2026-11-21 09:00:00 UTC', tried],
  [
    'shop.example: not delivered by 1 attempt, the last: HTTP 503; retry 1 of 12',
    state({ attempts: 1, lastAnswer: 'HTTP 503' }),
  ],
  ['shop.example: failed after 13 attempts, the last: connection_refused; nothing more is sent', failed],
])('a delivery reads: %s', (words, given) => {
  expect(describeDelivery(given)).toBe(words)
})

test('an event is searched for by its worst delivery, from the first failed attempt on', () => {
  expect(worstOf([])).toBeNull()
  expect(worstOf([state(), delivered])).toBeNull()
  expect(worstOf([delivered, tried, failed])).toBe('retrying')
  expect(worstOf([delivered, failed])).toBe('failed')
})
