import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { bodyBytesMax, ENDPOINTS, type ReadOnlyInterface, startReadOnlyInterface, tooManyFields } from './endpoints.ts'

let api: ReadOnlyInterface

beforeAll(async () => {
  api = await startReadOnlyInterface()
})
afterAll(() => api.stop())

/** What every endpoint refuses alike is tried of each in test/http/every-endpoint.test.ts; one of them stands for all here. */
describe('a body', () => {
  const endpoint = '/invoices'
  const good = ENDPOINTS[endpoint]
  const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

  const UNREADABLE: [string, string, Record<string, string>?][] = [
    ['that ends too early', '{"name": "Order'],
    ['that is no JSON', 'name=Order'],
    ['that is a list', JSON.stringify([good])],
    ['that is a text', '"name"'],
    ['that is a number', '1'],
    ['that is null', 'null'],
    ['of blanks', '   '],
    ['with a prototype in it', '{"__proto__": {"name": "x"}}'],
    ['with a prototype deeper in it', '{"metadata": {"__proto__": {"name": "x"}}}'],
    ['that is nested too deeply', deep(40)],
    ['that is nested so deeply that a stack would end', deep(10_000)],
    [
      'with more fields than any resource has',
      JSON.stringify(
        Object.fromEntries(Array.from({ length: tooManyFields('POST', endpoint) }, (_, i) => [`f${i}`, 1])),
      ),
    ],
    ['of an unknown type', JSON.stringify(good), { 'content-type': 'text/plain' }],
    ['of the type of a file', JSON.stringify(good), { 'content-type': 'multipart/form-data; boundary=x' }],
    ['of a type that cannot be read', JSON.stringify(good), { 'content-type': ';;;' }],
    ['in another charset', JSON.stringify(good), { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['that is packed', JSON.stringify(good), { 'content-encoding': 'gzip' }],
    [
      'of a form with more fields than any resource has',
      `${'a=1&'.repeat(tooManyFields('POST', endpoint))}b=1`,
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    [
      'of a form that is nested too deeply',
      `a${'[b]'.repeat(30)}=1`,
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
  ]
  // Each row needs its third value: Jest would put its own callback there.
  const unreadable = UNREADABLE.map(([what, body, headers = {}]) => [what, body, headers] as const)
  test.each(unreadable)('refuses a body %s', async (_, body, headers) => {
    const answer = await api.send(endpoint, body, headers)
    expect(answer).toMatchObject({
      status: 400,
      body: {
        success: false,
        error_type: 'request.bad-format',
        message: expect.any(String),
        request_id: expect.any(String),
      },
    })
  })

  test.each([
    ['as a whole', JSON.stringify(good)],
    ['after a blank', ` ${JSON.stringify(good)}`],
    ['with brackets that no form has', `{"a":"${'[b]'.repeat(30)}=1"}`],
    ['cut off', '{"name": "Order'],
  ])('says of JSON under the type of a form, %s, which type it has and which to send', async (_, body) => {
    const answer = await api.send(endpoint, body, { 'content-type': 'application/x-www-form-urlencoded' })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error_type: 'request.bad-format',
        message: expect.stringMatching(/Content-Type is application\/x-www-form-urlencoded.*application\/json/),
      },
    })
  })

  test.each(['application/json', 'application/x-www-form-urlencoded'])(
    'refuses a body over the limit, of %s',
    async (type) => {
      const name = 'x'.repeat(bodyBytesMax('POST', endpoint))
      const body = type === 'application/json' ? JSON.stringify({ ...good, name }) : `name=${name}`
      const answer = await api.send(endpoint, body, { 'content-type': type })
      expect(answer).toMatchObject({ status: 413, body: { success: false, error_type: 'request.body-too-large' } })
    },
  )

  test.each([false, true])(
    'reads a body of exactly the limit, and none that is a byte longer, in pieces: %s',
    async (pieces) => {
      const send = (length: number) => {
        const blob = new Blob(['['.padEnd(length)])
        return api.send(endpoint, pieces ? blob.stream() : blob)
      }
      const limit = bodyBytesMax('POST', endpoint)
      expect(await send(limit)).toMatchObject({ status: 400, body: { error_type: 'request.bad-format' } })
      expect(await send(limit + 1)).toMatchObject({ status: 413, body: { error_type: 'request.body-too-large' } })
    },
  )

  test('refuses a body over the limit whose length nobody announced', async () => {
    const piece = new TextEncoder().encode(`{"name": "${'x'.repeat(bodyBytesMax('POST', endpoint) / 3)}", `)
    const pieces = ReadableStream.from([piece, piece, piece, piece])
    // The connection is closed while the client is still sending; it may or may not get to read the answer.
    const answer = await api.send(endpoint, pieces).catch(() => null)
    if (answer !== null) expect(answer).toMatchObject({ status: 413, body: { error_type: 'request.body-too-large' } })
  })

  test.each(['constructor', 'constructor.prototype', 'toString', 'hasOwnProperty', 'a.b', 'a[b', '[]', '.', ''])(
    'refuses the unknown field "%s"',
    async (name) => {
      const answer = await api.send(endpoint, JSON.stringify({ ...good, [name]: 'x' }))
      expect(answer).toMatchObject({
        status: 400,
        body: { error_type: 'request.validation.error', invalid_fields: [{ name: expect.any(String) }] },
      })
    },
  )
})
