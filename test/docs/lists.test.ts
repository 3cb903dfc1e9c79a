import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { RESOURCES } from '../../src/http/expansion/resources.ts'
import { LIST_ROUTES } from '../../src/http/lists/list-routes.ts'
import { EVENT_FILTERS, LISTS } from '../../src/persistence/queries/lists/list-definitions.ts'

const page = readFileSync(new URL('../../docs/lists.md', import.meta.url), 'utf8')

const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** The rows of the table below a heading, each as the names in its two columns. */
const rowsBelow = (heading: string): string[][][] => {
  const [, section = ''] = page.split(`\n${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return own
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').slice(1, 3).map(namesIn))
}

describe('docs/lists.md', () => {
  test('names every list once', () => {
    const paths = [...LIST_ROUTES.map(({ path }) => path.replace(':id', '{id}')), '/events']
    const named = rowsBelow('## All lists').flatMap(([lists = []]) => lists)
    expect(named.toSorted()).toEqual(paths.map((path) => `GET ${path}`).toSorted())
  })

  test.each([
    ...LIST_ROUTES.map(({ path, list }) => ({ path, filters: LISTS[list].filters })),
    { path: '/events', filters: EVENT_FILTERS },
  ])('names every filter of $path, and no other', ({ path, filters }) => {
    const row = rowsBelow('## All lists').find(([lists = []]) => lists.includes(`GET ${path.replace(':id', '{id}')}`))
    expect(row?.[1]?.map((name) => name.replace('.KEY', ''))).toEqual(Object.keys(filters))
  })

  test('names everything that can be expanded, and nothing else', () => {
    const expandable = Object.entries(RESOURCES).filter(([, { relations }]) => Object.keys(relations).length > 0)
    expect(rowsBelow('## Expand')).toEqual(expandable.map(([name, { relations }]) => [[name], Object.keys(relations)]))
  })
})
