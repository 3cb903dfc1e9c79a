import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { RESOURCES } from '../../src/http/expansion/resources.ts'
import { LIST_ROUTES } from '../../src/http/lists/list-routes.ts'
import { EVENT_FILTERS, LISTS } from '../../src/persistence/queries/lists/list-definitions.ts'

const page = readFileSync(new URL('../../docs/lists.md', import.meta.url), 'utf8')

/** The names in the first column of the table below a heading. */
const namesBelow = (heading: string): string[] => {
  const [, section = ''] = page.split(`\n${heading}\n`)
  const [own = ''] = section.split('\n#')
  return own.split('\n').flatMap((line) => /^\| `([^`]+)` \|/.exec(line)?.[1] ?? [])
}

describe('docs/lists.md', () => {
  test('names every list', () => {
    const paths = [...LIST_ROUTES.map(({ path }) => path.replace(':id', '{id}')), '/events']
    expect(namesBelow('## All lists').toSorted()).toEqual(paths.map((path) => `GET ${path}`).toSorted())
  })

  test.each(Object.entries({ ...LISTS, events: { filters: EVENT_FILTERS } }))(
    'names every filter of %s, and no other',
    (list, { filters }) => {
      expect(namesBelow(`### ${list}`)).toEqual(Object.keys(filters))
    },
  )

  test('names everything that can be expanded, and nothing else', () => {
    const expandable = Object.entries(RESOURCES).filter(([, { relations }]) => Object.keys(relations).length > 0)
    expect(namesBelow('## Expand')).toEqual(expandable.map(([name]) => name))
    for (const [name, { relations }] of expandable) {
      const names = Object.keys(relations).map((relation) => `\`${relation}\``)
      expect(page).toContain(`| \`${name}\` | ${names.join(', ')} |\n`)
    }
  })
})
