import { expect, test } from '@jest/globals'
import { nearestName } from '../../domain/nearest-name.ts'

const KNOWN = ['name', 'amount', 'currency', 'webhook_url', 'return_url', 'device.channel', 'auto_capture_at']

test.each([
  ['amuont', 'amount'],
  ['Amount', 'amount'],
  ['currencies', 'currency'],
  ['webhookUrl', 'webhook_url'],
  ['return-url', 'return_url'],
  ['device.chanel', 'device.channel'],
  ['autoCaptureAt', 'auto_capture_at'],
  ['nmae', 'name'],
])('%s is taken for %s', (name, expected) => {
  expect(nearestName(name, KNOWN)).toBe(expected)
})

test.each(['foo', 'toString', 'token', 'x', 'id'])('%s is near to none of them', (name) => {
  expect(nearestName(name, KNOWN)).toBeUndefined()
})

test('a name as long as a body is compared without delay', () => {
  const startedAt = performance.now()
  nearestName('x'.repeat(60_000), KNOWN)
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})

test('where nothing is known, nothing is near', () => {
  expect(nearestName('amount', [])).toBeUndefined()
})
