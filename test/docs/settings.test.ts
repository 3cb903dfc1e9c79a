import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { SETTING_NAMES } from '../../src/config.ts'

const PAGE = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')

/** The names in the first column of every table. */
const named = [...PAGE.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
)

describe('docs/settings.md', () => {
  test('has every setting of the service once, and no other', () => {
    expect(named.toSorted()).toEqual([...SETTING_NAMES].toSorted())
  })
})
