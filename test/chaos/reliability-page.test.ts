import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { CELLS, nameOf } from './faults.ts'
import { faultsTable } from './reliability-page.ts'

const page = readFileSync('docs/reliability.md', 'utf8')

test('the page has the faults that there are, and a row of each cell', () => {
  expect(page).toContain(faultsTable())
  for (const cell of CELLS) expect(page).toMatch(new RegExp(`--cell ${nameOf(cell)} --seed \\d+\` \\|`))
})
