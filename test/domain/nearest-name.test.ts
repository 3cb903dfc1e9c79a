import { expect, test } from '@jest/globals'
import { createSuggestions, nearestName, SUGGESTIONS_MAX } from '../../domain/nearest-name.ts'

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

test('no more than the first 60 letters are compared', () => {
  const { compared, measure } = counting()
  nearestName('x'.repeat(60_000), ['y'.repeat(70)], measure)
  expect(compared).toEqual([['x'.repeat(60), 'y'.repeat(60)]])
})

test('of the names of one request the first five are compared, whatever came of it', () => {
  const asked: string[] = []
  const suggest = createSuggestions((name) => {
    asked.push(name)
    return name === 'n1' ? undefined : 'near'
  })
  const names = Array.from({ length: 1_000 }, (_, index) => `n${index}`)
  expect(names.map((name) => suggest(name, KNOWN)).filter((nearest) => nearest !== undefined)).toHaveLength(4)
  expect(asked).toEqual(['n0', 'n1', 'n2', 'n3', 'n4'])
  expect(SUGGESTIONS_MAX).toBe(5)
})

test('where nothing is known, nothing is near', () => {
  expect(nearestName('amount', [])).toBeUndefined()
})
