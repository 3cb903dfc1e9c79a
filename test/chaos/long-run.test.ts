import { expect, test } from '@jest/globals'
import { piecesTable } from './long-run.ts'
import type { PieceRow } from './results.ts'

test('the pieces of the long run are listed with their sums', () => {
  const piece: PieceRow = {
    on: '2026-11-29',
    minutes: 6,
    kills: 2,
    commands: 900,
    payments: 300,
    webhooks: 1_200,
    differences: 0,
  }
  const lines = piecesTable({ 1: piece, 7: { ...piece, commands: 600, differences: 1 } }).split('\n')
  expect(lines.slice(2)).toEqual([
    '| 1 | 2026-11-29 | 6 | 2 | 900 | 300 | 1,200 | 0 |',
    '| 7 | 2026-11-29 | 6 | 2 | 600 | 300 | 1,200 | 1 |',
    '| all |  | 12 | 4 | 1,500 | 600 | 2,400 | 1 |',
  ])
})
