import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { CELLS } from './faults.ts'
import { faultsIn, renderPage, renderRun } from './reliability-page.ts'
import { type CellRow, commandOf, readResults } from './results.ts'

const [cell] = CELLS
const how = { seed: 7, lasts: 30, rate: 4, trouble: 10 }

test('the page has the faults that there are, and the results that are kept', () => {
  const page = readFileSync('docs/reliability.md', 'utf8')
  expect(renderPage(page, readResults())).toBe(page)
})

test('a cell is repeated as it was run', () => {
  expect(commandOf('stop/worker', how)).toBe(
    'npm run chaos -- --cell stop/worker --seed 7 --lasts 30 --rate 4 --trouble 10',
  )
})

test.each([[[]], [['one is lost: 2000 is not 0', 'another']]])('what a run prints is read again: %j', (faults) => {
  if (cell === undefined) throw new Error('There are no cells.')
  expect(faultsIn(renderRun([{ cell, faults, row: how as CellRow }]))).toEqual(faults)
  expect(faultsIn('PostgreSQL does not start')).toBeNull()
})
