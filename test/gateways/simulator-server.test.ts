import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createSimulatorOverHttp } from '../../src/gateways/simulator/adapter.ts'
import { type SimulatorServer, startSimulatorServer } from '../../src/gateways/simulator/server.ts'
import { APPROVED, makeSimulator, patience } from './simulator-fixture.ts'

describe('the server of the simulator', () => {
  let simulator: Awaited<ReturnType<typeof makeSimulator>>
  let server: SimulatorServer

  beforeAll(async () => {
    simulator = await makeSimulator('server')
    const { execute, clock } = simulator
    server = await startSimulatorServer({ execute, clock, port: 0 })
  })
  afterAll(async () => {
    await server.close()
    await simulator.drop()
  })

  /** A request as the README documents it, written down by hand. */
  const authorizationOf = (number = APPROVED) => {
    const { credentials: _credentials, settings: _settings, ...body } = simulator.requestOf(number)
    return body
  }
  const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(new URL(path, server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const logOf = async (reference: string) => (await simulator.readLog({ reference })).requests

  describe('does nothing for', () => {
    test.each<[string, number, Record<string, string>, (body: object) => unknown]>([
      ['no JSON', 400, {}, () => '{'],
      ['another type than JSON', 415, { 'content-type': 'text/plain' }, (body) => body],
      ['a missing field', 400, {}, ({ ...body }) => ({ ...body, amountMinor: undefined })],
      ['a field that is not documented', 400, {}, (body) => ({ ...body, amount: '29.00' })],
      ['a field of another type', 400, {}, (body) => ({ ...body, amountMinor: '2900' })],
      ['more than a request can hold', 413, {}, (body) => ({ ...body, padding: 'x'.repeat(20_000) })],
      ['settings that are no JSON', 400, { 'simulator-settings': '{' }, (body) => body],
      ['settings that are wrong', 400, { 'simulator-settings': '{"delay_ms":"soon"}' }, (body) => body],
      ['a fault that there is not', 400, { 'simulator-fault': 'refused' }, (body) => body],
    ])('%s, and answers %i', async (_, status, headers, change) => {
      const body = authorizationOf()

      const answer = await send('/v1/authorizations', change(body), headers)

      expect(answer.status).toBe(status)
      const said = await answer.text()
      expect(JSON.parse(said)).toEqual({ error: expect.stringMatching(/\.$/) })
      expect(said).not.toContain(APPROVED)
      expect(await logOf(body.reference)).toEqual([])
    })

    test.each(['/', '/v1', '/v1/authorization', '/v1/authorizations/1'])(
      'an address that there is not: %s',
      async (path) => {
        expect((await send(path, authorizationOf())).status).toBe(404)
      },
    )

    test('a question about no kind of step', async () => {
      const answer = await fetch(`${server.url}/v1/operations/tr_op_1?type=request`)
      expect(answer.status).toBe(400)
    })
  })

  test('is reached from this machine alone', async () => {
    expect(new URL(server.url).hostname).toBe('127.0.0.1')
    for (const baseUrl of ['http://example.com', 'https://127.0.0.1:1', 'http://10.0.0.1', 'file:///etc/passwd']) {
      expect(() => createSimulatorOverHttp({ baseUrl })).toThrow('on this machine only')
    }
  })

  test('answers every step as the README has it', async () => {
    const authorization = authorizationOf()
    const authorized = await send('/v1/authorizations', authorization)
    expect(authorized.status).toBe(200)
    const approval = (await authorized.json()) as { gatewayOperationId: string }
    expect(approval).toMatchObject({ kind: 'approved', amountMinor: 2_900, currency: 'EUR' })
    const { gatewayConfigurationId, invoiceId, currency } = authorization
    const followUp = (amountMinor: number) => ({
      gatewayConfigurationId,
      invoiceId,
      currency,
      amountMinor,
      reference: simulator.makeReference(),
      gatewayAuthorizationId: approval.gatewayOperationId,
    })
    const increment = { ...followUp(100), targetTotalMinor: 3_000 }

    expect((await send('/v1/increments', increment)).status).toBe(200)
    expect((await send('/v1/voids', followUp(500))).status).toBe(200)
    expect((await send('/v1/captures', { ...followUp(1_000), isFinal: true })).status).toBe(200)
    expect((await send('/v1/refunds', followUp(400))).status).toBe(200)
    const refused = await send('/v1/refunds', followUp(601))
    expect([refused.status, await refused.json()]).toEqual([402, expect.objectContaining({ kind: 'declined' })])
    const found = await fetch(`${server.url}/v1/operations/${increment.reference}?type=increment_authorization`)
    expect([found.status, await found.json()]).toEqual([
      200,
      { kind: 'found', outcome: expect.objectContaining({ kind: 'approved', amountMinor: 100 }) },
    ])
    const unseen = await fetch(`${server.url}/v1/operations/tr_op_none?type=capture`)
    expect([unseen.status, await unseen.json()]).toEqual([404, { kind: 'never-seen' }])

    expect((await simulator.readLog({ invoiceId })).authorizations).toMatchObject([
      { authorizedMinor: 3_000, capturedMinor: 1_000, voidedMinor: 2_000, refundedMinor: 400 },
    ])
  })

  test('answers another request under a used reference 409, because what became of the first one is not its outcome', async () => {
    const body = authorizationOf()
    await send('/v1/authorizations', body)

    const answer = await send('/v1/authorizations', { ...body, amountMinor: 2_901 })

    expect([answer.status, await answer.json()]).toEqual([409, expect.objectContaining({ kind: 'unknown' })])
  })

  test.each([
    ['a card whose answer is lost', '4000000000007007', {}, 1],
    ['a card that refuses connections', '4000000000007106', {}, 0],
    ['a lost answer', APPROVED, { 'simulator-fault': 'lost' }, 1],
  ])('resets the connection for %s', async (_, number, headers, timesDone) => {
    const body = authorizationOf(number)

    await expect(send('/v1/authorizations', body, headers)).rejects.toThrow()

    expect(await logOf(body.reference)).toHaveLength(timesDone)
  })

  test('breaks a garbled answer off in the middle', async () => {
    const answer = await send('/v1/authorizations', authorizationOf(), { 'simulator-fault': 'garbled' })

    expect(answer.status).toBe(200)
    await expect(answer.json()).rejects.toThrow()
  })

  test('answers its own failure 500 with an outcome, which makes it certain', async () => {
    const answer = await send('/v1/authorizations', authorizationOf(), { 'simulator-fault': 'failed' })

    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ kind: 'declined', code: 'gateway.internal-error' })
  })

  test('answers 500 without an outcome where its books fail, and nobody takes that for one', async () => {
    const broken = await startSimulatorServer({
      execute: () => Promise.reject(new Error(`bad value ${APPROVED}`)),
      port: 0,
    })
    const gateway = createSimulatorOverHttp({ baseUrl: broken.url })
    const request = simulator.requestOf(APPROVED)

    const answer = await fetch(new URL('/v1/authorizations', broken.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(authorizationOf()),
    })

    expect([answer.status, await answer.text()]).toEqual([500, '{}'])
    expect((await gateway.authorize(request, patience())).kind).toBe('unknown')
    await broken.close()
  })

  test('survives a caller that hangs up in the middle of a request', async () => {
    const { port } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      'POST /v1/authorizations HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"ref',
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.destroy()

    expect((await send('/v1/authorizations', authorizationOf())).status).toBe(200)
  })

  describe('that the settings of an account name', () => {
    test('is asked in place of the books in this process', async () => {
      const here = await makeSimulator('server-of-another')
      try {
        const request = simulator.requestOf(APPROVED, { settings: { base_url: server.url } })

        expect(await here.gateway.authorize(request, patience())).toMatchObject({ kind: 'approved' })

        expect((await here.readLog({ reference: request.reference })).requests).toEqual([])
        expect(await logOf(request.reference)).toMatchObject([{ timesAsked: 1 }])
      } finally {
        await here.drop()
      }
    })

    test('gets no credential of the account', async () => {
      const secret = 'notification-key-of-the-account'
      const request = simulator.requestOf(APPROVED, {
        settings: { base_url: server.url },
        credentials: { notification_key: secret },
      })
      await simulator.gateway.authorize(request, patience())

      expect(await simulator.dump()).not.toContain(secret)
    })
  })
})
