import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Answer, createHttpClient, type HttpClient } from '../support/http-client.ts'
import { type FilledProject, makeFilledProjects } from './filled-projects.ts'
import { interfaceForFile } from './interface.ts'
import { addressOf, OPERATIONS } from './operations.ts'
import { rowWriter } from './row-writer.ts'
import { sortedRows } from './sorted-rows.ts'

const api = interfaceForFile()
let project: FilledProject
let client: HttpClient
let before: string

beforeAll(async () => {
  project = (await makeFilledProjects(api.database)).mine
  client = createHttpClient(api.url, { username: project.projectId, password: project.secretKey })
  const rows = await rowWriter(api, project)
  await rows.invoice('iv_Unpaid')
  before = await sortedRows(api.database)
})
const ask = (operation: string, body: object | string = {}, query = ''): Promise<Answer> => {
  // An invoice that was paid cannot be changed, whatever is asked.
  const address = operation === 'PUT /invoices/:id' ? '/invoices/iv_Unpaid' : addressOf(operation, project)
  const [method] = operation.toLowerCase().split(' ') as ['get' | 'post' | 'put' | 'delete']
  const url = `${address}${query}`
  return method === 'post' || method === 'put' ? client[method](url, body) : client[method](url)
}
const refused = (status: number, errorType: string) => ({ status, body: { success: false, error_type: errorType } })

describe('a body', () => {
  /** These three take no fields: look-ups at a gateway, tests of an endpoint, and the choice of a version of the rules. */
  const takesFields = (operation: string) =>
    /^(POST|PUT)/.test(operation) && !/\/(sync-with-psp|test|activate)$/.test(operation)

  test.each(Object.keys(OPERATIONS).filter(takesFields))('%s refuses a field that it does not know', async (name) => {
    const answer = await ask(name, { ...OPERATIONS[name]?.body, nonsense: 'x' })
    expect(answer).toMatchObject(refused(400, 'request.validation.error'))
    expect(answer.body.invalid_fields).toMatchObject([{ name: 'nonsense' }])
  })

  test.each([
    ['a field', { 'x\uD83D': 1 }, 'x\uFFFD'],
    ['a field within', { phone: { [`${'x'.repeat(90)}\uDC00`]: 1 } }, `phone.${'x'.repeat(90)}\uFFFD`],
    ['a part of a value', { balance: '1', expand: `${'x'.repeat(39)}😀` }, `has "${'x'.repeat(39)}\uFFFD"`],
  ])('with half a surrogate pair in %s is answered in whole characters', async (_, fields, told) => {
    const { status, body } = await ask('POST /customers', fields)
    expect(status).toBe(400)
    expect(JSON.stringify(body)).not.toMatch(/\\u[dD][89a-fA-F]/)
    expect(body.message).toContain(told)
  })

  test.each([
    ['POST /customers', 65_536],
    ['POST /routing-rules', 65_536],
    ['POST /invoices/:id/refunds', 98_304],
    ['PUT /invoices/:id', 262_144],
    ['POST /gateway-configurations/:id/settlement-files', 1_048_576],
  ])('of %s that is larger than %i bytes is refused', async (name, bytes) => {
    expect(await ask(name, ' '.repeat(bytes + 1))).toMatchObject(refused(413, 'request.body-too-large'))
    expect(await ask(name, ' '.repeat(bytes))).toMatchObject(refused(400, 'request.bad-format'))
  })

  test.each(['PUT /invoices/:id/sync-with-psp', 'POST /webhook-endpoints/:id/test'])(
    'of %s, which takes no fields, must be readable all the same',
    async (name) => {
      expect(await ask(name, '{')).toMatchObject(refused(400, 'request.bad-format'))
    },
  )
})

describe('a parameter of the query', () => {
  test.each([
    'GET /invoices/:id',
    'GET /invoices',
    'GET /events',
    'GET /exports/refunds.csv',
    'GET /error-codes',
    'POST /invoices',
    'DELETE /customers/:id',
  ])('that %s does not know is refused, and the nearest one is named', async (name) => {
    const answer = await ask(name, {}, '?expnd[]=a&zzz=1')
    expect(answer).toMatchObject(refused(400, 'request.validation.error'))
    expect(answer.body.invalid_fields).toEqual([
      { name: 'expnd', message: expect.stringMatching(/the nearest one is expand$/) },
      { name: 'zzz', message: expect.not.stringContaining('nearest') },
    ])
  })

  test.each(['/health/live', '/health/ready'])('GET %s is ignored: monitors add their own', async (path) => {
    expect((await fetch(new URL(`${path}?probe=1`, api.url))).status).toBe(200)
  })

  test('of a list is refused elsewhere where it is set, and ignored where it is not', async () => {
    for (const unset of ['limit=&order=&filter=', 'limit=0&expand=&start_after=&end_before='])
      expect(await ask('GET /invoices/:id', {}, `?${unset}`)).toMatchObject({ status: 200 })
    expect(await ask('GET /invoices/:id', {}, '?limit=5')).toMatchObject(refused(400, 'request.validation.error'))
  })
})

describe('a list', () => {
  test.each([
    ['limit=101', 'request.pagination.invalid'],
    ['start_after=iv_none&end_before=iv_none', 'request.pagination.invalid'],
    ['filter=nothing:1', 'request.filter.invalid'],
    ['expand=nothing', 'request.expand.invalid'],
  ])('with ?%s is refused, also that of events, which is no list like the others', async (query, code) => {
    for (const name of ['GET /events', 'GET /cards', 'GET /invoices/:id/refunds'])
      expect(await ask(name, {}, `?${query}`)).toMatchObject(refused(400, code))
  })
})

test('none of these requests has changed anything', async () => {
  expect(await sortedRows(api.database)).toBe(before)
  expect(api.payments.sent).toEqual([])
})
