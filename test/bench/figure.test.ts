import { describe, expect, test } from '@jest/globals'
import { figureOf } from '../../bench/figures.ts'
import { renderFigures } from '../../bench/report.ts'

const alone = { name: 'authorization', unit: 'ms' }
const text = { ...alone, besideName: 'floor' }
const repeats = [
  { measured: 10, beside: 20 },
  { measured: 30, beside: 20 },
  { measured: 30, beside: 10 },
]

describe('A figure beside another', () => {
  test('has the median of the ratios, and not the ratio of the medians', () => {
    const { measured, beside } = figureOf(text, [
      { measured: 1, beside: 10 },
      { measured: 2, beside: 1 },
      { measured: 3, beside: 4 },
    ])
    expect(measured).toBe(2)
    expect(beside).toMatchObject({ measured: 4, ratio: 0.75, ratioSpread: [0.1, 2] })
  })

  test('is held to its bar by the ratio', () => {
    expect(figureOf({ ...text, bar: { atMost: 1.4 } }, repeats).bar?.holds).toBe(false)
    expect(figureOf({ ...text, bar: { atMost: 1.5, goal: 1.4 } }, repeats).bar).toMatchObject({
      holds: true,
      isReached: false,
    })
    expect(figureOf({ ...text, bar: { atLeast: 1.6 } }, repeats).bar?.holds).toBe(false)
    expect(figureOf({ ...text, bar: { atLeast: 1.2, goal: 1.5 } }, repeats).bar?.isReached).toBe(true)
  })
})

describe('A figure without anything beside it', () => {
  test('is held by its median, and keeps the smallest and largest', () => {
    const figure = figureOf({ ...alone, bar: { atMost: 9, goal: 6 } }, [9, 12, 5])
    expect(figure).toMatchObject({ measured: 9, spread: [5, 12], bar: { holds: true, isReached: false } })
    expect(figure.beside).toBeUndefined()
  })
})

test('A table shows no bar as held that is missed', () => {
  const figures = [
    figureOf({ ...text, bar: { atMost: 1 } }, repeats),
    figureOf({ name: 'statements', unit: '', bar: { atMost: 9, goal: 6 } }, [5]),
  ]
  const [head, rule, missed, held] = renderFigures(figures).split('\n')
  expect(missed).toMatch(/\| ≤ 1: missed +\|$/)
  expect(held).toMatch(/\| ≤ 9: holds, and 6 +\|$/)
  expect(new Set([head, rule, missed, held].map((line) => line?.length)).size).toBe(1)
})
