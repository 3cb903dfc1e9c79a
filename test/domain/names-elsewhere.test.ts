import { expect, test } from '@jest/globals'
import {
  ADDRESSES_ELSEWHERE,
  EVENTS_ELSEWHERE,
  FIELDS_ELSEWHERE,
  type NamesElsewhere,
  WORDS_ELSEWHERE,
} from '../../domain/names-elsewhere.ts'
import { EVENT_NAMES } from '../../domain/webhook-event.ts'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { LIST_PARAMETERS } from '../../src/http/input/query.ts'

const FIELDS = ENDPOINTS.flatMap(({ body }) => body?.input.names ?? []).flatMap((name) => [name, name.split('.')[0]])

test.each<[string, NamesElsewhere, readonly unknown[]]>([
  ['a word of an address', WORDS_ELSEWHERE, ENDPOINTS.flatMap(({ path }) => path.split('/'))],
  ['an address', ADDRESSES_ELSEWHERE, ENDPOINTS.map(({ path }) => path.replaceAll(/:\w+/g, '{id}'))],
  ['a field', FIELDS_ELSEWHERE, [...FIELDS, ...LIST_PARAMETERS]],
  ['an event', EVENTS_ELSEWHERE, Object.keys(EVENT_NAMES)],
])('%s of other services is told by one that is here', (_, table, known) => {
  for (const [theirs, ours] of table) {
    expect({ theirs, unknown: ours.filter((name) => !known.includes(name)) }).toEqual({ theirs, unknown: [] })
  }
})
