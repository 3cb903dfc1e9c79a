import { describe, expect, test } from '@jest/globals'
import { phasesOf } from '../../bench/npm-start/phases.ts'

const LINES = [
  { at: 10, text: '> holdfast@0.1.0 prestart' },
  { at: 300, text: '> holdfast@0.1.0 start' },
  { at: 1_300, text: 'Starting Holdfast' },
  { at: 2_000, text: '  PostgreSQL 18 runs on 127.0.0.1:5432' },
  { at: 1_900, text: '  Temporal runs on 127.0.0.1:7233' },
  { at: 2_200, text: '  The database is up to date' },
  { at: 3_000, text: 'Holdfast is ready after 1.7 s on http://127.0.0.1:8080. Stop it with Ctrl-C.' },
]

describe('the phases of a start', () => {
  test('add up to the whole of it', () => {
    const phases = Object.values(phasesOf(LINES))
    expect(phases).toEqual([300, 1_000, 700, 200, 800])
    expect(phases.reduce((sum, one) => sum + one, 0)).toBe(3_000)
  })

  test('are the same where the tables had to be made first', () => {
    const migrated = LINES.map((line) =>
      line.at === 2_200 ? { ...line, text: '  Migrated the database (20261121090000-first-slice)' } : line,
    )
    expect(phasesOf(migrated)).toEqual(phasesOf(LINES))
  })

  test.each(LINES.slice(1))('are not guessed where the line "$text" is not there', ({ text }) => {
    expect(() => phasesOf(LINES.filter((line) => line.text !== text))).toThrow('no line like')
  })
})
