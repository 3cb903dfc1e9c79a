import { describe, expect, test } from '@jest/globals'
import { readOptions } from '../../scripts/chaos/options.ts'

describe('the options of npm run chaos:webhooks', () => {
  test.each([
    ['--kills', ''],
    ['--kills', 'x'],
    ['--kills', '-1'],
    ['--rate', '0'],
    ['--trouble', '101'],
  ])('refuse %s %j with one sentence', (name, value) => {
    expect(() => readOptions([`${name}=${value}`])).toThrow(`${name} is a number from`)
  })

  test('refuse what they do not know and show what there is', () => {
    expect(() => readOptions(['--kill=3'])).toThrow('--kills N')
  })

  test('kill a hundred processes where nothing else is said', () => {
    expect(readOptions([])).toEqual({
      kills: 100,
      seed: 1,
      rate: 4,
      intervalMs: 4_000,
      trouble: 0.1,
      patienceMs: 480_000,
      keep: false,
    })
  })
})
