import { describe, expect, test } from '@jest/globals'
import { median, summarize } from '../../bench/figures.ts'

describe('What is told of many latencies', () => {
  test('nothing measured is no figure', () => {
    expect(() => summarize([])).toThrow('Nothing was measured.')
    expect(() => median([])).toThrow('Nothing was measured.')
  })

  test('a percentile is a value that was measured, by nearest rank', () => {
    const latencies = Array.from({ length: 200 }, (_, index) => 200 - index)
    expect(summarize(latencies)).toEqual({ count: 200, p50: 100, p95: 190, p99: 198, max: 200 })
  })

  test('the median of repeats is not moved by the order or by one that went wrong', () => {
    expect(median([3, 1000, 1])).toBe(3)
    expect(median([4, 1, 2, 3])).toBe(2.5)
  })
})
