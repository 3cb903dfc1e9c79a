import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { PERMISSIONS } from '../../domain/permission.ts'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { accessOf } from '../../src/http/endpoint.ts'

const page = readFileSync(new URL('../../docs/authentication.md', import.meta.url), 'utf8')

/** The rows of the first table below a heading, each as the words in it that are written as code. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [, table = ''] = /\n\|[^\n]*\n\|---[^\n]*\n((?:\|[^\n]*\n)+)/.exec(section) ?? []
  return table
    .trim()
    .split('\n')
    .map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word))
}

describe('docs/authentication.md', () => {
  test('names every permission, and no other', () => {
    expect(rowsBelow('Secret keys').map(([name]) => name)).toEqual(expect.arrayContaining([...PERMISSIONS]))
    expect(rowsBelow('Secret keys')).toHaveLength(PERMISSIONS.length)
  })

  test('names every call that is open to clients, and no other', () => {
    const open = ENDPOINTS.filter((endpoint) => accessOf(endpoint)?.isOpenToClients === true).map(({ place }) =>
      place.replaceAll(/:(\w+)/g, '{$1}'),
    )
    const named = rowsBelow('Calls of clients').flatMap((words) => words.filter((word) => /^[A-Z]+ \//.test(word)))
    expect(named.toSorted()).toEqual(open.toSorted())
  })
})
