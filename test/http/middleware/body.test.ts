import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import Koa from 'koa'
import type { ApiContext } from '../../../src/http/context.ts'
import { body, INVOICE_BODY } from '../../../src/http/middleware/body.ts'
import { InvoiceEntity } from '../../../src/persistence/entities/invoice.ts'
import { basic } from '../basic.ts'
import { interfaceForFile } from '../interface.ts'
import { INVOICE } from '../operations.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const { bytes: BYTES_MAX } = INVOICE_BODY

const api = interfaceForFile()

/** Which route takes which bodies: test/api/endpoints.test.ts. This one stands for all. */
async function send(body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) {
  const { projectId, secretKey } = api.merchant
  const authorization = basic(`${projectId}:${secretKey}`)
  const init = { method: 'POST', body, headers: { authorization, ...JSON_TYPE, ...headers }, duplex: 'half' }
  const response = await fetch(new URL('/invoices', api.url), init as RequestInit)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('a body', () => {
  const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

  const UNREADABLE: [string, string, Record<string, string>?][] = [
    ['that ends too early', '{"name": "Order'],
    ['that is no JSON', 'name=Order'],
    ['that is a list', JSON.stringify([INVOICE])],
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
      JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`f${i}`, 1]))),
    ],
    ['of an unknown type', JSON.stringify(INVOICE), { 'content-type': 'text/plain' }],
    ['of the type of a file', JSON.stringify(INVOICE), { 'content-type': 'multipart/form-data; boundary=x' }],
    ['of a type that cannot be read', JSON.stringify(INVOICE), { 'content-type': ';;;' }],
    ['in another charset', JSON.stringify(INVOICE), { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['that is packed', JSON.stringify(INVOICE), { 'content-encoding': 'gzip' }],
    ['of a form with more fields than any resource has', `${'a=1&'.repeat(10_001)}b=1`, FORM_TYPE],
    ['of a form that is nested too deeply', `a${'[b]'.repeat(30)}=1`, FORM_TYPE],
  ]
  // Each row needs its third value: Jest would put its own callback there.
  const unreadable = UNREADABLE.map(([what, body, headers = {}]) => [what, body, headers] as const)
  test.each(unreadable)('refuses a body %s', async (_, body, headers) => {
    const answer = await send(body, headers)
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
    [
      '{\n  "number": 4242424242424242\n  "cvc": "123"\n}',
      'at line 3, column 3 a comma or the end of the object or list is expected',
    ],
    ['{"amount": 4242424242424242', 'at its end (line 1, column 28) a comma or } is expected'],
    ['{"name": Tea}', 'at line 1, column 10 there is no name in double quotes and no value of JSON'],
    ["{'name': 1}", 'at line 1, column 2 there is no name in double quotes and no value of JSON'],
    ['{"a": [1, 2,]}', 'at line 1, column 13 a value is expected'],
    ['{"a": {"b": [true, null]}, "c" 1}', 'at line 1, column 32 a colon is expected'],
    ['{"a": "4242\n4242', 'at line 1, column 7 a text begins that is not closed in its line'],
    ['{"a": 1} // 4242', 'at line 1, column 10 there is a comment, which JSON has not'],
    ['{} {}', 'at line 1, column 4 nothing more is expected'],
  ])('says where %j is no JSON, and repeats nothing of it', async (body, where) => {
    const answer = await send(body)
    expect(answer.body.message).toBe(`The body is not valid JSON: ${where}.`)
  })

  test('does not look for the place in a text deeper than the stack', async () => {
    expect((await send('['.repeat(60_000))).body.error_type).toBe('request.bad-format')
  })

  test.each(['identity', 'IDENTITY'])('reads a body whose content encoding is %s', async (encoding) => {
    const answer = await send('{}', { 'content-encoding': encoding })
    expect(answer.body.error_type).toBe('request.validation.missing-name')
  })

  test.each([
    ['as a whole', JSON.stringify(INVOICE)],
    ['after a blank', ` ${JSON.stringify(INVOICE)}`],
    ['with brackets that no form has', `{"a":"${'[b]'.repeat(30)}=1"}`],
    ['cut off', '{"name": "Order'],
  ])('says of JSON under the type of a form, %s, which type it has and which to send', async (_, body) => {
    const answer = await send(body, FORM_TYPE)
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
      const name = 'x'.repeat(BYTES_MAX)
      const body = type === 'application/json' ? JSON.stringify({ ...INVOICE, name }) : `name=${name}`
      const answer = await send(body, { 'content-type': type })
      expect(answer).toMatchObject({ status: 413, body: { success: false, error_type: 'request.body-too-large' } })
    },
  )

  test('reads a body of exactly the limit, and none that is a byte longer, in pieces', async () => {
    const sendBlank = (length: number) => send(new Blob(['['.padEnd(length)]).stream())
    expect(await sendBlank(BYTES_MAX)).toMatchObject({ status: 400, body: { error_type: 'request.bad-format' } })
    expect(await sendBlank(BYTES_MAX + 1)).toMatchObject({
      status: 413,
      body: { error_type: 'request.body-too-large' },
    })
  })

  test('refuses a body over the limit whose length nobody announced', async () => {
    const piece = new TextEncoder().encode(`{"name": "${'x'.repeat(BYTES_MAX / 3)}", `)
    const pieces = ReadableStream.from([piece, piece, piece, piece])
    // The connection is closed while the client is still sending; it may or may not get to read the answer.
    const answer = await send(pieces).catch(() => null)
    if (answer !== null) expect(answer).toMatchObject({ status: 413, body: { error_type: 'request.body-too-large' } })
  })
})

test('a body whose caller has gone is not taken for none: the command would be another one', async () => {
  const request = new IncomingMessage(new Socket())
  Object.assign(request, { method: 'POST', headers: { ...JSON_TYPE, 'content-length': '20' } })
  request.destroy()
  await once(request, 'close')
  const context = new Koa().createContext(request, new ServerResponse(request)) as unknown as ApiContext
  let isRun = false
  const route = async () => {
    isRun = true
  }
  await expect(body()(context, route)).rejects.toThrow('ended before it was whole')
  expect(isRun).toBe(false)
})

test('none of these requests has left anything', async () => {
  const em = api.database.orm.em.fork()
  expect(await em.count(InvoiceEntity)).toBe(0)
  expect(api.payments.sent).toEqual([])
  expect(api.log.text()).not.toMatch(/"level":(50|60)/)
})
