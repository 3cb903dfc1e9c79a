import { request } from 'node:http'
import { beforeAll, expect, test } from '@jest/globals'
import { chance } from '../support/chance.ts'
import { basic } from './basic.ts'
import { type FilledProjects, makeFilledProjects } from './filled-projects.ts'
import { type Interface, interfaceForFile } from './interface.ts'
import { addressOf, OPERATIONS } from './operations.ts'
import { sortedRows } from './sorted-rows.ts'

/** More at once would only wait for each other. */
const AT_ONCE = 16

/** What merchants know by the same names. */
const PUBLIC_NAMES =
  /^(?:card|customer|event|invoice|operation|project|refund|reconciliation|transaction|delivery|webhook_endpoint|rule_set|gateway_configuration|api_request|api_key)$/

/** The names of our tables that are nobody else's business, and everything else by which our inside would show. */
async function internalNames({ database }: Interface): Promise<RegExp> {
  const rows: { name: string }[] = await database.orm.em
    .getConnection()
    .execute("select tablename as name from pg_tables where schemaname = 'public'")
  const tables = rows.map(({ name }) => name).filter((name) => !PUBLIC_NAMES.test(name))
  expect(tables).toContain('card_security_code')
  return new RegExp(
    [
      `\\b(?:${tables.join('|')})\\b`,
      ...['\\bat [\\w.<>]+ \\(', '\\n\\s+at ', 'node_modules', 'file://', '/src/', '\\.ts\\b', '\\.js:\\d'],
      ...['\\bselect .* from\\b', '\\binsert into\\b', '\\bpg_', 'relation "', 'column "', 'syntax error', 'SQLSTATE'],
      ...[
        '\\bmikro',
        '\\bkoa\\b',
        'kysely',
        'postgres',
        'temporal',
        '\\bzod\\b',
        'express',
        '\\bpino\\b',
        'HPE_',
        'ERR_',
        'ECONN',
      ],
      ...['\\[object ', '\\bundefined\\b', '\\bNaN\\b', 'TypeError', 'SyntaxError', 'Cannot read', 'is not a function'],
    ].join('|'),
    'i',
  )
}

const HARM = [
  `' or 1=1--`,
  `1; drop table card; --`,
  `') union all select null, secret_hash from api_key --`,
  `\${jndi:ldap://127.0.0.1/a}`,
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '..%2f..%2f..%2fetc%2fpasswd',
  '%00',
  '%ff%fe',
  '%',
  '\u0000',
  '\ud800',
  '\u202e\u0000\uffff',
  '__proto__',
  'constructor.prototype.polluted',
  'toString',
  '-1',
  '1e309',
  '9'.repeat(400),
  '0x10',
  'NaN',
  'null',
  '[]',
  '{"$gt":""}',
  'x'.repeat(3_000),
  '\r\nX-Injected: 1',
  'é😀'.repeat(50),
] as const

/** The same for the same seed; every call is another one. */
function dice(seed: number) {
  let rolls = 0
  const roll = (sides: number): number => {
    rolls += 1
    return Math.floor(chance(seed * 1_000 + rolls) * sides)
  }
  const pick = <Value>(values: readonly Value[]): Value => values[roll(values.length)] as Value
  return { roll, pick }
}

interface HostileRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
}

const OPERATION_NAMES = Object.keys(OPERATIONS)
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND', 'PURGE'] as const

function hostileRequest(seed: number, projects: FilledProjects): HostileRequest {
  const { roll, pick } = dice(seed)
  const operation = pick(OPERATION_NAMES)
  const harm = () => pick(HARM)
  const inUrl = (text: string) => (roll(3) === 0 ? escapedPath(text) : encodeURIComponent(text.toWellFormed()))
  const address = addressOf(operation, projects.mine)
  const path = [
    () => address,
    () => address.replace(/_Mine/, `_${inUrl(harm())}`),
    () => `${address}/${inUrl(harm())}`,
    () => `/${inUrl(harm())}`,
    () => `//${address}`,
    () => `http://metadata.example${address}`,
  ][roll(6)]?.() as string
  const names = ['filter', 'expand', 'limit', 'start_after', 'end_before', 'order', inUrl(harm())]
  const query = Array.from(
    { length: roll(4) },
    () => `${pick(names)}${pick(['', '[]', '[0]', '[a][b]'])}=${inUrl(harm())}`,
  )
  const method = roll(4) === 0 ? pick(METHODS) : (operation.split(' ')[0] ?? 'GET')
  return {
    method,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: hostileHeaders(seed, projects),
    body: ['GET', 'HEAD', 'TRACE', 'OPTIONS'].includes(method)
      ? null
      : hostileBody(seed, OPERATIONS[operation]?.body ?? {}),
  }
}

const escapedPath = (text: string) => text.replaceAll(/[^!-~]/g, '%20')

function hostileHeaders(seed: number, { mine, other }: FilledProjects): Record<string, string> {
  const { roll, pick } = dice(seed + 100_000)
  const credentials = [
    basic(`${mine.projectId}:${mine.secretKey}`),
    basic(`${mine.projectId}:${mine.secretKey}`),
    basic(`test-${mine.projectId}:`),
    basic(`${other.projectId}:${mine.secretKey}`),
    basic(`${pick(HARM)}:${pick(HARM)}`),
    `Basic ${'A'.repeat(5_000)}`,
    'Bearer x',
  ]
  const text = () => pick(HARM).replaceAll(/[^ -~]/g, '?')
  const more = [
    'X-Request-Id',
    'Idempotency-Key',
    'API-Version',
    'X-Service-Client-Secret',
    'X-Forwarded-For',
    'Origin',
    'Accept',
    'X-HTTP-Method-Override',
    'Content-Encoding',
    'If-None-Match',
    'Range',
    'Expect',
  ]
  return {
    authorization: pick(credentials),
    'content-type': pick([
      'application/json',
      'application/json',
      'application/x-www-form-urlencoded',
      'text/xml',
      'application/json; charset=utf-7',
      'multipart/form-data; boundary=x',
    ]),
    ...Object.fromEntries(Array.from({ length: roll(3) }, () => [pick(more), text()])),
  }
}

function hostileBody(seed: number, right: object): string {
  const { roll, pick } = dice(seed + 200_000)
  const name = () =>
    roll(2) === 0 ? pick([...Object.keys(right), 'metadata', 'source', 'details', 'amount', 'currency']) : pick(HARM)
  const value = (depth: number): unknown =>
    [
      () => pick(HARM),
      () => pick([0, -1, 1e21, 2 ** 53, true, null, 1.5]),
      () => (depth > 3 ? {} : { [name()]: value(depth + 1), [name()]: value(depth + 1) }),
      () => (depth > 3 ? [] : Array.from({ length: roll(4) }, () => value(depth + 1))),
    ][roll(4)]?.()
  const json = () => JSON.stringify({ ...right, [name()]: value(0), [name()]: value(0) })
  return [
    json,
    json,
    json,
    () => `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},${json().slice(1)}`,
    () => json().slice(0, roll(40)),
    () => '['.repeat(5_000),
    () => `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
    () => `a[b][c][d][e][f][g][h][i][j]=1&${encodeURIComponent(pick(HARM).toWellFormed())}=1&__proto__[x]=1`,
    () => 'a=1&'.repeat(1_500),
    () => pick(HARM),
    () => 'x'.repeat(70_000),
    () => '',
  ][roll(12)]?.() as string
}

interface Received {
  status: number
  headers: Readonly<Record<string, unknown>>
  text: string
}

function send(url: string, { method, path, headers, body }: HostileRequest): Promise<Received> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    // One connection each: what one request does to its connection must not be another's doing.
    const sent = request({ hostname, port, method, path, headers: { ...headers, connection: 'close' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    sent.on('error', (error: NodeJS.ErrnoException) =>
      // The rest of a body that nobody reads may be cut off before the answer is read.
      error.code === 'ECONNRESET' || error.code === 'EPIPE'
        ? resolve({ status: 0, headers: {}, text: '' })
        : reject(error),
    )
    sent.end(body ?? undefined)
  })
}

/** What is wrong with an answer; null for nothing. Words that were sent may come back, and are no words of ours. */
function problemOf({ status, headers, text }: Received, sent: string, internals: RegExp): string | null {
  if (status === 0) return null
  if (status >= 500) return 'is a defect'
  const missing = [
    'x-request-id',
    'x-ratelimit',
    'x-ratelimit-remaining',
    'x-content-type-options',
    'content-security-policy',
    'cache-control',
    'referrer-policy',
  ].filter((name) => headers[name] === undefined)
  if (missing.length > 0) return `has no ${missing}`
  if (headers.server !== undefined || headers['x-powered-by'] !== undefined || headers['x-injected'] !== undefined)
    return 'has a header too many'
  if (text === '') return null
  const body = JSON.parse(text)
  const isError =
    body.success === false && typeof body.error_type === 'string' && body.request_id === headers['x-request-id']
  if (status >= 400 && !isError) return 'is no error of ours'
  const { request_id: _, request_log_url: __, ...words } = body
  const own = HARM.reduce((rest, harm) => rest.replaceAll(JSON.stringify(harm).slice(1, -1), ''), JSON.stringify(words))
  const found = internals.exec(own)?.[0]
  return found === undefined || sent.includes(found) ? null : `says "${found}"`
}

/** Tests that send requests that mean harm; what is no request at all is in `server/http-server.test.ts`. */
export function testHostileRequests(requests: number): void {
  const api = interfaceForFile()
  let projects: FilledProjects
  let internals: RegExp
  let before: string

  beforeAll(async () => {
    api.payments.answerWith(() => ({ kind: 'refused', code: 'request.source.invalid', message: 'No.' }))
    projects = await makeFilledProjects(api.database)
    internals = await internalNames(api)
    before = await sortedRows(api.database)
  })

  // The limits of one address would answer most of them.
  const emptyBuckets = () => api.database.orm.em.getConnection().execute('delete from rate_limit_bucket')

  test('a request that means harm is answered like every other, and tells nothing of our inside', async () => {
    const problems: string[] = []
    const statuses: Record<number, number> = {}
    let next = 0
    const sendNext = async () => {
      for (let seed = next++; seed < requests; seed = next++) {
        if (seed % 100 === 0) await emptyBuckets()
        const hostile = hostileRequest(seed, projects)
        const answer = await send(api.url, hostile)
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        const sent = JSON.stringify(hostile)
        const problem = problemOf(answer, sent, internals)
        const shown = `${answer.text.slice(0, 300)} to ${sent.slice(0, 300)}`
        if (problem !== null) problems.push(`seed ${seed}: ${answer.status} ${problem}: ${shown}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sendNext))
    expect(problems.slice(0, 10)).toEqual([])
    for (const status of [400, 401, 404, 405]) expect(statuses[status]).toBeGreaterThan(0)
    expect(statuses[0] ?? 0).toBeLessThan(requests / 50)
    expect(api.log.text()).not.toMatch(/"level":(?:50|60)/)
    expect(Object.keys({}.constructor.prototype)).not.toContain('polluted')
  })

  test('a request that means harm leaves the objects of others as they were', async () => {
    const rows = (all: string) => all.split('\n').filter((row) => /\((?:\w+_)?(?:Other|OtherLive|MineLive),/.test(row))
    expect(rows(before).length).toBeGreaterThan(20)
    expect(rows(await sortedRows(api.database))).toEqual(rows(before))
  })
}
