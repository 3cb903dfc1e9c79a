import { expect, test } from '@jest/globals'
import type { Context } from 'koa'
import { singleHeaders } from '../../../src/http/middleware/single-headers.ts'
import { refusalOf } from '../../api/refusals.ts'

const HEADERS = [
  ['Host', 'x'],
  ['Authorization', 'Basic eDp5'],
  ['Content-Type', 'application/json'],
  ['Content-Length', '2'],
  ['Idempotency-Key', 'order-1'],
  ['X-Service-Client-Secret', 'ivs_1'],
  ['X-ProcessOut-Client-Secret', 'ivs_1'],
  ['X-Project-Id', 'proj_1'],
  ['X-CSRF-Token', 'token'],
] as const

const read = (more: string[]) => () =>
  singleHeaders()({ req: { rawHeaders: [...HEADERS.flat(), ...more] } } as unknown as Context, async () => undefined)

test.each(HEADERS)('a request with the header %s twice is refused', (name, value) => {
  for (const again of [
    [name, value],
    [name.toUpperCase(), 'other'],
    [name, ''],
  ])
    expect(refusalOf(read(again))).toMatchObject({
      code: 'request.bad-format',
      message: `The header ${name} is sent more than once.`,
      headers: { Connection: 'close' },
    })
})

test('a request with each of them once, or with another header twice, is not', () => {
  expect(read(['Accept', 'a/b', 'Accept', 'c/d'])).not.toThrow()
})
