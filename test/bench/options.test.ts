import { describe, expect, test } from '@jest/globals'
import { helpOn, readOptions } from '../../bench/run/options.ts'
import { partNames } from '../../bench/run/parts.ts'

const KNOWN = ['authorize', 'reads']

describe('The command line of the bench', () => {
  test('measures nothing where a part is named that there is not', () => {
    expect(() => readOptions(['--parts', 'authorize,authorise'], KNOWN)).toThrow(/no part authorise; there are/)
  })

  test('takes no number of repeats that is none', () => {
    expect(() => readOptions(['--repeats', '0'], KNOWN)).toThrow(/--repeats/)
  })

  test('measures everything, three times, on the embedded server by default', () => {
    expect(readOptions([], KNOWN)).toMatchObject({ parts: null, repeats: 3, quick: false, full: false })
  })

  test('takes parts in the order given, and flags without a value', () => {
    const options = readOptions(['--parts', 'reads,authorize', '--quick', '--full'], KNOWN)
    expect(options).toMatchObject({ parts: ['reads', 'authorize'], quick: true, full: true })
  })

  test('tells of every part there is', () => {
    const parts = [
      { name: 'authorize', about: 'From request to answer.' },
      { name: 'reads', about: 'Lists.' },
    ]
    expect(helpOn(parts)).toContain('  authorize  From request to answer.\n  reads      Lists.\n')
    expect(readOptions(['--help'], KNOWN)).toBeNull()
  })
})

test('Every file of bench/parts but their contract is a part', () => {
  expect(partNames()).toContain('authorize')
  expect(partNames()).not.toContain('part')
})
