import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { defaultPayloadConverter, type Payload } from '@temporalio/common'
import { systemClock } from '../../src/clock.ts'
import { createCodecApp } from '../../src/codec/app.ts'
import { createPayloadCodec } from '../../src/temporal/payload-codec.ts'
import { testCli } from '../journeys/launched.ts'
import { type CapturedLog, captureLog } from '../support/captured-log.ts'
import { fixedClock } from '../support/clock.ts'
import { forFile } from '../support/for-file.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { listen } from '../support/listen.ts'
import { server as part } from '../support/servers.ts'
import { connectTemporal } from '../support/temporal.ts'

const TOKENS = { developer: createHash('sha256').update('developer').digest('hex'), support: 'support-'.repeat(5) }
const UI = 'http://127.0.0.1:8233'
const WORKFLOW_ID = 'payment-iv_ada'
const PAYMENT = {
  kind: 'capture',
  amountMinor: 2900,
  currency: 'EUR',
  status: 'authorized',
  errorCode: 'card.declined',
  operationId: 'tr_op_1',
  customer: { email: 'ada@example.com', name: 'Ada Lovelace' },
  billing: null,
  signature: 'n1.c2lnbmF0dXJl',
  message: 'The card 4242424242424242 of ada@example.com was declined',
}

let log: CapturedLog

beforeEach(() => {
  log = captureLog()
})
// Each test has a log of its own.
const server = forFile(
  () =>
    listen((request, response) =>
      createCodecApp({
        keys: TEST_KEYS,
        tokens: TOKENS,
        uiOrigins: [UI],
        clock: systemClock,
        logger: log.logger,
      }).callback()(request, response),
    ),
  (started) => started.close(),
)

const bearer = (role: keyof typeof TOKENS) => `Bearer ${TOKENS[role]}`
const basic = (password: string) => `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`

async function encrypted(value: unknown, keys = TEST_KEYS, workflowId = WORKFLOW_ID): Promise<Payload> {
  const codec = createPayloadCodec(keys, { encrypts: true })
  const context = { type: 'workflow', namespace: 'live', workflowId } as const
  return (await codec.encode([defaultPayloadConverter.toPayload(value) as Payload], context))[0] as Payload
}

function toJson({ metadata, data }: Payload) {
  const entries = Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')])
  return { metadata: Object.fromEntries(entries), data: Buffer.from(data ?? []).toString('base64') }
}

async function decode(authorization: string, payloads: Payload[], headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/decode`, {
    method: 'POST',
    headers: { Authorization: authorization, 'Content-Type': 'application/json', 'X-Namespace': 'live', ...headers },
    body: JSON.stringify({ payloads: payloads.map(toJson) }),
  })
  const body = (await response.json()) as { error?: string; payloads?: { data: string }[] }
  const values = body.payloads?.map(({ data }) => JSON.parse(Buffer.from(data, 'base64').toString()))
  return { status: response.status, headers: response.headers, error: body.error, values }
}

describe('a codec server without a token of developers', () => {
  test('takes nobody for one, whatever is given', async () => {
    const tokens = { developer: undefined, support: TOKENS.support }
    const app = createCodecApp({ keys: TEST_KEYS, tokens, uiOrigins: [UI], clock: systemClock, logger: log.logger })
    const only = await listen(app.callback())
    try {
      const address = only.url
      for (const authorization of ['', 'Bearer', 'Bearer undefined', basic(''), basic('undefined'), 'Basic Og=='])
        expect((await fetch(address, { headers: { Authorization: authorization } })).status).toBe(401)
      const signedIn = await fetch(address, { headers: { Authorization: basic(TOKENS.support) } })
      expect(await signedIn.text()).toBe('You are signed in, with the role support.')
    } finally {
      await only.close()
    }
  })
})

test('an address with too many wrong tokens waits for the next minute, with the right one as well', async () => {
  const clock = fixedClock()
  const app = createCodecApp({ keys: TEST_KEYS, tokens: TOKENS, uiOrigins: [UI], clock, logger: log.logger })
  const limited = await listen(app.callback())
  try {
    const ask = async (headers: Record<string, string>) => (await fetch(limited.url, { headers })).status
    const ofTries: number[] = []
    for (let nth = 0; nth < 61; nth += 1) ofTries.push(await ask({ Authorization: 'Bearer wrong' }), await ask({}))
    expect(ofTries.filter((status) => status === 401)).toHaveLength(119)
    expect(ofTries.slice(-3)).toEqual([429, 429, 429])
    expect(await ask({ Authorization: bearer('developer') })).toBe(429)
    clock.advance(60_000)
    expect(await ask({ Authorization: bearer('developer') })).toBe(200)
  } finally {
    await limited.close()
  }
})

describe('the codec server', () => {
  test('decrypts for nobody without the token of a role', async () => {
    for (const authorization of [
      '',
      'Bearer ',
      'Bearer undefined',
      `Bearer ${TOKENS.support}x`,
      basic(''),
      basic('developer'),
    ]) {
      const { status, values, headers } = await decode(authorization, [await encrypted(PAYMENT)])
      expect({ status, values }).toEqual({ status: 401, values: undefined })
      expect(headers.get('WWW-Authenticate')).toContain('Basic')
    }
    expect(log.text()).toBe('')
  })

  test('gives a developer everything, and support what is neither personal nor secret', async () => {
    const payload = await encrypted(PAYMENT)
    for (const authorization of [bearer('developer'), basic(TOKENS.developer)])
      expect(await decode(authorization, [payload])).toMatchObject({ status: 200, values: [PAYMENT] })
    for (const authorization of [bearer('support'), basic(TOKENS.support)]) {
      const { values } = await decode(authorization, [payload, payload])
      const { customer: _, signature: __, message: ___, ...seen } = PAYMENT
      const view = {
        ...seen,
        customer: '[redacted]',
        signature: '[redacted]',
        message: 'The card ************4242 of [redacted] was declined',
      }
      expect(values).toEqual([view, view])
    }
  })

  test('redacts also what is plain or no JSON', async () => {
    const plain = defaultPayloadConverter.toPayload(PAYMENT) as Payload
    const bytes = defaultPayloadConverter.toPayload(new Uint8Array([1, 2])) as Payload
    const { values } = await decode(bearer('support'), [plain, bytes, await encrypted('EUR 29.00 · order 12')])
    expect(values).toEqual([expect.objectContaining({ customer: '[redacted]' }), '[redacted]', 'EUR 29.00 · order 12'])
  })

  test('answers pages of the UI alone, with the credentials that the browser has', async () => {
    const preflight = (origin: string) =>
      fetch(`${server.url}/decode`, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'authorization,content-type,x-namespace',
        },
      })
    const allowed = await preflight(UI)
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      'access-control-allow-origin': UI,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'authorization,content-type,x-namespace',
    })
    expect((await preflight('https://evil.example')).headers.get('Access-Control-Allow-Origin')).toBeNull()
    const { headers } = await decode(bearer('developer'), [], { Origin: 'https://evil.example' })
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
  })

  test('says what is wrong with a payload, in ids only', async () => {
    const others = { ...TEST_KEYS, payload: { current: 'p9', keys: new Map([['p9', randomBytes(32)]]) } }
    expect(await decode(bearer('developer'), [await encrypted(PAYMENT, others)])).toMatchObject({
      status: 422,
      error: 'There is no payload key with the id "p9".',
    })
    const payload = await encrypted(PAYMENT)
    const changed = { ...payload, data: Buffer.concat([payload.data ?? Buffer.alloc(0), Buffer.from('x')]) }
    const relabelled = {
      ...payload,
      metadata: { ...payload.metadata, 'encryption-workflow-id': Buffer.from('payment-iv_b') },
    }
    for (const [wrong, id] of [
      [changed, WORKFLOW_ID],
      [relabelled, 'payment-iv_b'],
    ] as const)
      expect(await decode(bearer('support'), [wrong])).toMatchObject({
        status: 422,
        error: `The encrypted payload of ${id} was changed, or belongs elsewhere.`,
      })
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['no payloads', '{"payloads":[{"data":1}]}'],
    ['no base64', '{"payloads":[{"data":"!"}]}'],
  ])('refuses a body with %s', async (_, body) => {
    const response = await fetch(`${server.url}/decode`, {
      method: 'POST',
      headers: { Authorization: bearer('developer') },
      body,
    })
    expect(response.status).toBe(400)
  })

  test('logs who has looked at which workflow, and nothing of what it says', async () => {
    await decode(bearer('support'), [await encrypted(PAYMENT)])
    const line = log.text()
    expect(line).toContain('"role":"support","namespace":"live","workflow_ids":["payment-iv_ada"],"payloads":1')
    for (const secret of ['Lovelace', '2900', TOKENS.support]) expect(line).not.toContain(secret)
  })

  test('serves the command line of Temporal', async () => {
    const { clients, close } = await connectTemporal({ keys: TEST_KEYS, encrypts: true })
    const workflowId = `webhook-ev_shown_${randomBytes(4).toString('hex')}`
    const start = { workflowId, taskQueue: 'without-workers', args: [PAYMENT] }
    const handle = await clients.sandbox.workflow.start('webhookWorkflow', start)
    try {
      const { address } = await part('temporal')
      const show = ['workflow', 'show', '--address', address, '--namespace', 'sandbox', '--workflow-id', workflowId]
      const codec = ['--codec-endpoint', server.url, '--codec-auth', bearer('support')]
      const { stdout } = await promisify(execFile)(await testCli(), [...show, ...codec, '--output', 'json'])
      const [{ workflowExecutionStartedEventAttributes: started }] = JSON.parse(stdout).events
      const { data } = started.input.payloads[0]
      expect(JSON.parse(Buffer.from(data, 'base64').toString())).toMatchObject({
        amountMinor: 2900,
        customer: '[redacted]',
      })
    } finally {
      await handle.terminate()
      await close()
    }
  })
})
