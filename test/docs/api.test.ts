import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { TRANSITIONS } from '../../domain/transaction.ts'

const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')

/** Every name in the first column of the first table below a heading. */
function namesBelow(heading: string): string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [, table = ''] = /\n\|[^\n]*\n\|---[^\n]*\n((?:\|[^\n]*\n)+)/.exec(section) ?? []
  return table.split('\n').flatMap((line) => {
    const [, first = ''] = line.split('|')
    return [...first.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  })
}

describe('docs/api.md', () => {
  test('names every status that a transaction can have, and no other', () => {
    const reached = new Set<string>(TRANSITIONS.map(({ to }) => to))
    expect(namesBelow('Transactions').toSorted()).toEqual([...reached].toSorted())
  })
})
