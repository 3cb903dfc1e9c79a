import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { changed, DEFECTS } from './defects.ts'
import { CELLS, nameOf } from './faults.ts'

test.each(DEFECTS)('the code has the line of "$name", and there is its cell', ({ file, edits, cell }) => {
  const code = readFileSync(file, 'utf8')
  expect(changed(code, { file, edits })).not.toBe(code)
  expect(CELLS.map(nameOf)).toContain(cell)
})
