import { describe, expect, test } from '@jest/globals'
import { LIST_PARAMETERS, readPageRequest, refuseUnknownParameters } from '../../../src/http/input/query.ts'
import { LISTS } from '../../../src/http/lists/list-definitions.ts'
import { expectRefused, queried, refusalOf } from '../../api/refusals.ts'

const read = (query: string) => readPageRequest(queried(query), 'invoice')

describe('a parameter that no list has', () => {
  const refuse = refuseUnknownParameters(LIST_PARAMETERS, LISTS.invoices.filters)

  test.each([
    ['status=paid', 'status is no parameter; write filter=status:….'],
    ['created_at=2026-11-01', 'created_at is no parameter; write filter=created_at>=….'],
    ['metadata[size]=XL', 'metadata is no parameter; write filter=metadata.KEY:….'],
    ['page=2', 'page is not a field of this request; the nearest one is start_after.'],
    ['constructor=1', 'constructor is not a field of this request.'],
  ])('is refused with what is written in its place: %s', (query, message) => {
    expect(refusalOf(() => refuse({ querystring: query })).message).toBe(message)
  })
})

describe('the page of a list', () => {
  test.each([
    ['limit=101', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['order=up', 'order'],
    ['order=asc;drop table invoice', 'order'],
    ['start_after=tr-1', 'start_after'],
    ["end_before=iv_00' or ''='", 'end_before'],
    ['end_before=iv_%00', 'end_before'],
    ['start_after=iv_01&end_before=iv_05', 'end_before'],
  ])('is refused with %s', (query, name) => {
    expectRefused(() => read(query), name, 'request.pagination.invalid')
  })

  test('is the ten newest where nothing is said, or nothing but empty parameters', () => {
    const ordinary = { limit: 10, order: 'desc', cursor: null }
    expect([read(''), read('limit=0&order=&start_after=')]).toEqual([ordinary, ordinary])
    expect(read('limit=100&order=asc&end_before=iv_1')).toEqual({
      limit: 100,
      order: 'asc',
      cursor: { side: 'before', id: 'iv_1' },
    })
  })
})
