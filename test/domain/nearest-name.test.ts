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

/** Words that were compared, for whoever counts them. */
function counting() {
  const compared: [string, string][] = []
  const measure = (one: string, other: string) => {
    compared.push([one, other])
    return one === other ? 0 : 2
  }
  return { compared, measure }
}

test('only words that could be near by their lengths are compared', () => {
  const { compared, measure } = counting()
  nearestName('x'.repeat(60_000), KNOWN, measure)
  nearestName('x', KNOWN, measure)
  expect(compared).toEqual([])
  nearestName('returnurl', KNOWN, measure)
  expect(compared).toEqual([
    ['returnurl', 'amount'],
    ['returnurl', 'currency'],
    ['returnurl', 'webhookurl'],
    ['returnurl', 'returnurl'],
  ])
})
