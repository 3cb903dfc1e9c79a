import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { FAULTS } from '../../stand-ins/engine/faults.ts'

const PAGE = readFileSync(new URL('../../docs/stand-ins.md', import.meta.url), 'utf8')

const ALL = 'authorize, continue, capture, void, increment, refund'

test('docs/stand-ins.md has the faults as they are', () => {
  const rows = Object.entries(FAULTS).map(([name, { says, on, ms }]) => {
    const strikes = on.join(', ').replace(ALL, 'all')
    return `| \`${name}\` | ${says} | ${ms ?? ''} | ${strikes} |`
  })
  expect(PAGE.match(/^\| `[a-z-]+` \| .* \|$/gm)?.filter((row) => row.split('|').length === 6)).toEqual(rows)
})
