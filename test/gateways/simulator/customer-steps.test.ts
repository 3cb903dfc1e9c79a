import { createPublicKey, type JsonWebKey, verify, X509Certificate } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { RequestedAction } from '../../../domain/customer-action.ts'
import type { Outcome } from '../../../domain/operation.ts'
import type { AuthorizeRequest, ContinueRequest } from '../../../src/gateways/gateway.ts'
import { createSimulator } from '../../../src/gateways/simulator/adapter.ts'
import { actionIn, DEVICE, makeSimulator, patience, RETURN_URL, RETURNED, withCustomer } from '../simulator-fixture.ts'

const CHALLENGED = '4000000000000101'
const VERSION_1 = '4000000000003246'
const FINGERPRINTED = '4000000000003063'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const TIMED_OUT = { kind: 'fingerprint timed out' } as const
const QUARTER_OF_AN_HOUR = 15 * 60_000

let simulator: Awaited<ReturnType<typeof makeSimulator>>
beforeAll(async () => {
  simulator = await makeSimulator('customer steps')
})
afterAll(() => simulator.drop())

/** An authorization that waits for its customer. */
async function waiting(number: string, overrides: Partial<AuthorizeRequest> = {}) {
  const request = simulator.requestOf(number, { authentication: withCustomer(), ...overrides })
  const outcome = await simulator.gateway.authorize(request, patience())
  return { request, outcome, action: actionIn(outcome) }
}
const onPhone = (number: string) => waiting(number, { authentication: withCustomer({ channel: 'ios' }) })
const pass = (action: RequestedAction) => simulator.act(action)
const authorizationsOf = async ({ invoiceId }: AuthorizeRequest) =>
  (await simulator.readLog({ invoiceId })).authorizations

describe('an authorization that waits for its customer', () => {
  test('holds no money, and a repeated call or a look-up finds the same action', async () => {
    const { request, outcome } = await waiting(CHALLENGED)

    expect(await simulator.gateway.authorize(request, patience())).toEqual(outcome)
    for (let count = 0; count < 5; count += 1)
      expect(await simulator.lookUp(request.reference)).toEqual({ kind: 'found', outcome })
    expect(await authorizationsOf(request)).toEqual([])
    expect((await simulator.readLog({ invoiceId: request.invoiceId })).requests).toMatchObject([{ timesAsked: 2 }])
  })

  test('asks for one action when fifty requests with one reference arrive together', async () => {
    const request = simulator.requestOf(CHALLENGED, { authentication: withCustomer() })

    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => simulator.gateway.authorize(request, patience())),
    )

    expect(outcomes[0]?.kind).toBe('action-required')
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
  })

  test('is decided in no other way by its reference', async () => {
    const { request, outcome } = await waiting(CHALLENGED)
    const other = {
      ...request,
      card: { number: '4242424242424242', expMonth: 1, expYear: 2031, name: null, cvc: null },
    }

    expect(await simulator.gateway.authorize({ ...request, isMerchantInitiated: true }, patience())).toEqual(outcome)
    expect(await simulator.gateway.authorize(other, patience())).toEqual(outcome)
    expect((await simulator.gateway.authorize({ ...request, amountMinor: 1 }, patience())).kind).toBe('unknown')
    expect(await authorizationsOf(request)).toEqual([])
  })

  test('cannot be captured, voided or incremented', async () => {
    const { request } = await waiting(CHALLENGED)
    const gatewayAuthorizationId = (await simulator.readLog({ reference: request.reference })).requests[0]
    const step = () => ({
      ...request,
      reference: simulator.makeReference(),
      gatewayAuthorizationId: gatewayAuthorizationId?.gatewayAuthorizationId ?? '',
    })
    const refused = { kind: 'declined', code: 'gateway.transaction-not-found' }

    expect(await simulator.gateway.capture({ ...step(), isFinal: true }, patience())).toMatchObject(refused)
    expect(await simulator.gateway.void(step(), patience())).toMatchObject(refused)
    expect(await simulator.gateway.increment({ ...step(), targetTotalMinor: 3_000 }, patience())).toMatchObject(refused)
  })

  test('keeps the last four digits of the card for the page until it is decided, and never more', async () => {
    const { request, action } = await waiting(CHALLENGED)
    const endingOf = () =>
      simulator.execute('select card_ending from simulator.waiting_authorization where reference = $1', [
        request.reference,
      ])
    expect(await endingOf()).toEqual([{ card_ending: '0101' }])
    expect(await simulator.dump()).not.toContain(CHALLENGED)

    await simulator.goOn(request, action, await pass(action))

    expect(await endingOf()).toEqual([{ card_ending: null }])
  })
})

describe('the page of an action', () => {
  test.each([
    ['4000000000003063', 'fingerprint'],
    ['4000000000000101', 'redirect'],
    ['4000000000003246', 'url'],
  ])(
    'of %s (%s) is at the origin that the browser returns to, under an id that nobody can guess',
    async (number, type) => {
      const [first, second] = [await waiting(number), await waiting(number)]

      for (const { action } of [first, second]) {
        const url = 'page' in action ? action.page.url : ''
        expect(action.type).toBe(type)
        expect(url).toMatch(/^https:\/\/pay\.holdfast\.example\/simulator\/bank\/sim_step_[0-9A-Za-z]{32}$/)
        expect(url.endsWith(`/${action.continuation}`)).toBe(true)
      }
      expect(first.action.continuation).not.toBe(second.action.continuation)
    },
  )

  test('is opened with the fields of the protocol', async () => {
    const fingerprint = await waiting(FINGERPRINTED)
    expect(decoded(fingerprint.action, 'threeDSMethodData')).toEqual({
      threeDSServerTransID: expect.stringMatching(UUID),
      threeDSMethodNotificationURL: RETURN_URL,
    })

    const challenge = await waiting(CHALLENGED)
    expect(decoded(challenge.action, 'creq')).toEqual({
      messageType: 'CReq',
      messageVersion: '2.2.0',
      threeDSServerTransID: expect.stringMatching(UUID),
      acsTransID: expect.stringMatching(UUID),
      challengeWindowSize: '05',
    })

    const version1 = await waiting(VERSION_1)
    const { PaReq, TermUrl, MD } = fieldsOf(version1.action)
    expect(inflateSync(Buffer.from(PaReq ?? '', 'base64')).toString()).toContain('<amount>29.00</amount>')
    expect([TermUrl, MD]).toEqual([RETURN_URL, expect.stringMatching(UUID)])
  })

  test('of a payment without an address to return to is never made', async () => {
    const request = simulator.requestOf(CHALLENGED, { authentication: withCustomer({ returnUrl: 'not an address' }) })

    expect(await simulator.gateway.authorize(request, patience())).toMatchObject({ kind: 'unknown' })
    expect(await simulator.lookUp(request.reference)).toEqual({ kind: 'never-seen' })
  })
})

describe('what a browser brings back', () => {
  const FORGED = [
    {},
    { cres: Buffer.from('{"messageType":"CRes","transStatus":"Y"}').toString('base64url') },
    { PaRes: 'eJxTUAAAAA', MD: 'x' },
    { threeDSMethodData: '' },
  ]

  test.each(FORGED)('approves nothing as long as the customer has done nothing at the bank: %j', async (parameters) => {
    for (const number of [CHALLENGED, VERSION_1]) {
      const { request, outcome, action } = await waiting(number)

      expect(await simulator.goOn(request, action, { kind: 'returned', parameters })).toEqual(outcome)
      expect(await authorizationsOf(request)).toEqual([])
    }
  })

  test('cannot turn a failed challenge into a passed one', async () => {
    const { request, action } = await waiting(CHALLENGED)
    await simulator.bank.answer(action.continuation, { kind: 'cancel' })

    const outcome = await simulator.goOn(request, action, { kind: 'returned', parameters: FORGED[1] ?? {} })

    expect(outcome).toMatchObject({
      kind: 'declined',
      code: 'card.failed-3ds',
      gatewayCode: 'CHALLENGE_CANCELED',
      authentication: { status: 'failed', aresTransStatus: 'C', cresTransStatus: 'N', hasLiabilityShift: false },
    })
  })

  test('leads to a challenge where it says that the fingerprint was taken, and the page was never opened', async () => {
    const { request, action } = await waiting(FINGERPRINTED)

    expect(actionIn(await simulator.goOn(request, action, RETURNED)).type).toBe('redirect')
  })

  test('leads to a challenge where the fingerprint came too late', async () => {
    const { request, action } = await waiting(FINGERPRINTED)
    await pass(action)
    const next = actionIn(await simulator.goOn(request, action, TIMED_OUT))

    expect(await simulator.goOn(request, next, await pass(next))).toMatchObject({
      kind: 'approved',
      authentication: { fingerprintCompleted: false, wasChallenged: true, cresTransStatus: 'Y' },
    })
  })
})

describe('an answer of the customer', () => {
  test('is executed once, and a repeated one gets the same outcome', async () => {
    const { request, action } = await waiting(CHALLENGED)
    const answer = await pass(action)
    const first = await simulator.goOn(request, action, answer)

    expect(first.kind).toBe('approved')
    for (let count = 0; count < 3; count += 1) expect(await simulator.goOn(request, action, answer)).toEqual(first)
    expect(await simulator.gateway.authorize(request, patience())).toEqual(first)
    expect(await authorizationsOf(request)).toMatchObject([{ authorizedMinor: 2_900, capturedMinor: 0 }])
  })

  test('to a step in the middle gets the same next step when it is repeated', async () => {
    const { request, action } = await waiting('4000000000003220')
    const next = await simulator.goOn(request, action, TIMED_OUT)

    expect(actionIn(next).type).toBe('redirect')
    expect(await simulator.goOn(request, action, TIMED_OUT)).toEqual(next)
    // Another answer to the same step comes too late.
    expect(await simulator.goOn(request, action, RETURNED)).toEqual(next)
  })

  test('has one outcome when twenty arrive together', async () => {
    const { request, action } = await waiting(CHALLENGED)
    const answer = await pass(action)

    const outcomes = await Promise.all(Array.from({ length: 20 }, () => simulator.goOn(request, action, answer)))

    expect(outcomes[0]?.kind).toBe('approved')
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
    expect(await authorizationsOf(request)).toHaveLength(1)
  })

  test('has one outcome when two different ones arrive together', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { request, action } = await waiting(FINGERPRINTED)
      await pass(action)

      const outcomes = await Promise.all(
        [RETURNED, TIMED_OUT, RETURNED, TIMED_OUT].map((answer) => simulator.goOn(request, action, answer)),
      )

      for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
      expect(await authorizationsOf(request)).toHaveLength(outcomes[0]?.kind === 'approved' ? 1 : 0)
    }
  })

  test('to the step of another payment is refused, and both can still be paid', async () => {
    const [mine, other] = [await waiting(CHALLENGED), await waiting(CHALLENGED)]
    const answer = await pass(mine.action)
    const refused = { kind: 'declined', code: 'gateway.transaction-not-found' }

    expect(await simulator.goOn(other.request, mine.action, answer)).toMatchObject(refused)
    expect(
      await simulator.goOn({ ...other.request, reference: mine.request.reference }, mine.action, answer),
    ).toMatchObject({
      kind: 'unknown',
    })
    expect(await authorizationsOf(other.request)).toEqual([])
    expect(await authorizationsOf(mine.request)).toEqual([])

    for (const { request, action } of [mine, other])
      expect(await simulator.goOn(request, action, await pass(action))).toMatchObject({ kind: 'approved' })
  })

  test('under a continuation that was never given is refused, unless the payment was approved before', async () => {
    const { request, action } = await waiting(CHALLENGED)
    const forged = [
      '',
      'approved',
      `${action.continuation}x`,
      `sim_step_${'0'.repeat(32)}`,
      'x'.repeat(20_000),
      '\u0000',
    ]
    const refused = { kind: 'declined', code: 'gateway.transaction-not-found' }
    for (const continuation of forged)
      expect(await simulator.goOn(request, { continuation }, RETURNED)).toMatchObject(refused)

    const outcome = await simulator.goOn(request, action, await pass(action))

    expect(outcome.kind).toBe('approved')
    for (const continuation of forged)
      expect((await simulator.goOn(request, { continuation }, RETURNED)).kind).toBe('unknown')
    expect(await simulator.goOn(simulator.requestOf(CHALLENGED), action, RETURNED)).toMatchObject(refused)
  })

  test.each([
    ['another amount', { amountMinor: 1 }],
    ['another currency', { currency: 'USD' }],
    ['another invoice', { invoiceId: 'iv_other' }],
    ['another account', { gatewayConfigurationId: 'gway_conf_other' }],
  ])('for %s decides nothing', async (_, changed) => {
    const { request, outcome, action } = await waiting(CHALLENGED)
    const answer = await pass(action)

    expect((await simulator.goOn({ ...request, ...changed }, action, answer)).kind).toBe('unknown')
    expect(await simulator.lookUp(request.reference)).toEqual({ kind: 'found', outcome })
    expect(await authorizationsOf(request)).toEqual([])
  })

  test.each<[string, () => Promise<{ request: AuthorizeRequest; action: RequestedAction }>, ContinueRequest['answer']]>(
    [
      ['a challenge in a browser', () => waiting(CHALLENGED), { kind: 'challenge result', transStatus: 'Y' }],
      ['a challenge in a browser', () => waiting(CHALLENGED), TIMED_OUT],
      ['a fingerprint in a browser', () => waiting(FINGERPRINTED), { kind: 'device data', data: DEVICE }],
      ['a native fingerprint', () => onPhone(CHALLENGED), RETURNED],
      ['a native fingerprint', () => onPhone(CHALLENGED), { kind: 'challenge result', transStatus: 'Y' }],
    ],
  )('that does not fit %s ends it as a technical failure', async (_, start, answer) => {
    const { request, action } = await start()

    expect(await simulator.goOn(request, action, answer)).toMatchObject({
      kind: 'declined',
      code: 'card.failed-3ds-technical',
      authentication: { status: 'unavailable', hasLiabilityShift: false },
    })
    expect(await authorizationsOf(request)).toEqual([])
  })

  test('comes too late after a quarter of an hour, unless the customer was at the bank before', async () => {
    const [late, inTime] = [await waiting(CHALLENGED), await waiting(CHALLENGED)]
    simulator.clock.advance(QUARTER_OF_AN_HOUR - 1)
    await pass(inTime.action)
    simulator.clock.advance(1)
    const tooLate = await pass(late.action)

    expect(await simulator.goOn(late.request, late.action, tooLate)).toMatchObject({
      kind: 'declined',
      code: 'card.expired-3ds',
      authentication: { status: 'failed', cresTransStatus: null, wasChallenged: true },
    })
    expect(await simulator.goOn(inTime.request, inTime.action, RETURNED)).toMatchObject({ kind: 'approved' })
  })

  test('that gets lost on its way back is found by a look-up, and by the same answer again', async () => {
    const { request, action } = await waiting(CHALLENGED)
    const answer = await pass(action)
    const losing = createSimulator({
      execute: simulator.execute,
      clock: simulator.clock,
      transport: async (call) => {
        await call()
        throw Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' })
      },
    })

    expect((await simulator.goOn(request, action, answer, losing)).kind).toBe('unknown')
    const found = await simulator.lookUp(request.reference)

    expect(found).toMatchObject({
      kind: 'found',
      outcome: { kind: 'approved', authentication: { status: 'authenticated' } },
    })
    expect({ kind: 'found', outcome: await simulator.goOn(request, action, answer) }).toEqual(found)
    expect(await authorizationsOf(request)).toHaveLength(1)
  })

  test('at a gateway that fails ends the authorization for good', async () => {
    const settings = { fault_rate: '1', faults: 'failed' }
    const { request, action } = await waiting(CHALLENGED)
    const failed = { kind: 'declined', code: 'gateway.internal-error' }

    expect(await simulator.goOn({ ...request, settings }, action, await pass(action))).toMatchObject(failed)
    expect(await simulator.goOn(request, action, RETURNED)).toMatchObject(failed)
    expect(await authorizationsOf(request)).toEqual([])
  })
})

describe('what the card plays after an authentication', () => {
  const challenged = { authentication: withCustomer({ challengeIndicator: 'challenge-requested' }) }
  const passed = async (number: string, overrides: Partial<AuthorizeRequest> = {}) => {
    const { request, action } = await waiting(number, { ...challenged, ...overrides })
    return { request, outcome: await simulator.goOn(request, action, await pass(action)) }
  }

  test('4000000000007007: the answer is lost, and a look-up finds the approval with the authentication', async () => {
    const { request, outcome } = await passed('4000000000007007')

    expect(outcome.kind).toBe('unknown')
    expect(await simulator.lookUp(request.reference)).toMatchObject({
      kind: 'found',
      outcome: { kind: 'approved', authentication: { status: 'authenticated', cresTransStatus: 'Y' } },
    })
  })

  test('4000000000007114: half of the amount is approved', async () => {
    const { request, outcome } = await passed('4000000000007114')

    expect(outcome).toMatchObject({ kind: 'approved', amountMinor: 1_450 })
    expect(await authorizationsOf(request)).toMatchObject([{ authorizedMinor: 1_450 }])
  })

  test('4000000000007155: the money is taken at once where that is allowed', async () => {
    const { request, outcome } = await passed('4000000000007155', { mayFallBackToSale: true })

    expect(outcome).toMatchObject({ kind: 'approved', isSale: true })
    expect(await authorizationsOf(request)).toMatchObject([{ authorizedMinor: 2_900, capturedMinor: 2_900 }])
  })

  test('an authorization that may be incremented stays so, and is captured like any other', async () => {
    const { request, outcome } = await passed('4242424242424242', { incremental: true })
    const gatewayAuthorizationId = outcome.kind === 'approved' ? outcome.gatewayOperationId : ''
    const step = { ...request, amountMinor: 100, gatewayAuthorizationId }

    expect(
      await simulator.gateway.increment(
        { ...step, reference: simulator.makeReference(), targetTotalMinor: 3_000 },
        patience(),
      ),
    ).toMatchObject({ kind: 'approved' })
    expect(
      await simulator.gateway.capture(
        { ...step, reference: simulator.makeReference(), amountMinor: 3_000, isFinal: true },
        patience(),
      ),
    ).toMatchObject({ kind: 'approved', amountMinor: 3_000 })
  })

  test('4000000000006009: a challenge that was begun is the first use of the card', async () => {
    const card = { number: '4000000000006009', expMonth: 7, expYear: 2034, name: null, cvc: null }

    expect((await passed(card.number, { card })).outcome).toMatchObject({ kind: 'approved' })
    expect((await passed(card.number, { card })).outcome).toMatchObject({ kind: 'declined', code: 'card.no-money' })
  })
})

describe('a native library', () => {
  test('is given the directory server of the scheme', async () => {
    const { action } = await onPhone(CHALLENGED)
    const data = dataOf(action)

    expect(data).toEqual({
      directoryServerID: 'A000000003',
      directoryServerPublicKey: expect.any(String),
      directoryServerRootCAs: [expect.any(String)],
      threeDSServerTransID: expect.stringMatching(UUID),
      messageVersion: '2.2.0',
      scheme: 'visa',
    })
    const key = createPublicKey({ key: JSON.parse(String(data.directoryServerPublicKey)) as JsonWebKey, format: 'jwk' })
    const [root] = data.directoryServerRootCAs as string[]
    const certificate = new X509Certificate(Buffer.from(root ?? '', 'base64'))
    expect(certificate.ca).toBe(true)
    expect(certificate.publicKey.equals(key)).toBe(true)
    expect(certificate.verify(key)).toBe(true)
    expect(new Date(certificate.validTo).getTime()).toBeGreaterThan(Date.parse('2040-01-01'))
  })

  test('is given a challenge that is signed and contains its own key', async () => {
    const { request, action } = await onPhone(CHALLENGED)
    const next = actionIn(await simulator.goOn(request, action, { kind: 'device data', data: DEVICE }))
    const data = dataOf(next)

    expect(data).toEqual({
      acsTransID: expect.stringMatching(UUID),
      acsReferenceNumber: expect.any(String),
      acsSignedContent: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      threeDSServerTransID: dataOf(action).threeDSServerTransID,
    })
    const [header = '', content = '', signature = ''] = String(data.acsSignedContent).split('.')
    const { alg, jwk } = fromBase64Url(header) as { alg: string; jwk: JsonWebKey }
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const signed = Buffer.from(`${header}.${content}`)
    expect(alg).toBe('ES256')
    expect(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(fromBase64Url(content)).toEqual({
      acsEphemPubKey: { kty: 'EC', crv: 'P-256', x: expect.any(String), y: expect.any(String) },
      sdkEphemPubKey: DEVICE.sdkEphemPubKey,
      acsURL: expect.stringMatching(/^https:/),
    })
  })

  test.each(['sdkAppID', 'sdkReferenceNumber', 'sdkTransID', 'sdkEncData'] as const)(
    'that leaves out %s fails',
    async (name) => {
      await expectTechnicalFailure({ ...DEVICE, [name]: '' })
    },
  )

  test.each(['crv', 'kty', 'x', 'y'])('that leaves out %s of its key fails', async (name) => {
    await expectTechnicalFailure({ ...DEVICE, sdkEphemPubKey: { ...DEVICE.sdkEphemPubKey, [name]: '' } })
    const { [name]: _, ...others } = DEVICE.sdkEphemPubKey as Record<string, string>
    await expectTechnicalFailure({ ...DEVICE, sdkEphemPubKey: others })
  })

  test('decides by its result', async () => {
    for (const [transStatus, kind] of [
      ['Y', 'approved'],
      ['N', 'declined'],
    ] as const) {
      const { request, action } = await onPhone(CHALLENGED)
      const next = actionIn(await simulator.goOn(request, action, { kind: 'device data', data: DEVICE }))
      const outcome = await simulator.goOn(request, next, { kind: 'challenge result', transStatus })

      expect(outcome).toMatchObject({
        kind,
        authentication: { cresTransStatus: transStatus, fingerprintCompleted: null },
      })
    }
  })

  test('cannot skip the challenge', async () => {
    const { request, action } = await onPhone(CHALLENGED)
    const next = actionIn(await simulator.goOn(request, action, { kind: 'device data', data: DEVICE }))

    expect(await simulator.goOn(request, next, { kind: 'device data', data: DEVICE })).toMatchObject({
      code: 'card.failed-3ds-technical',
    })
    expect(await authorizationsOf(request)).toEqual([])
  })

  async function expectTechnicalFailure(
    data: typeof DEVICE | Extract<ContinueRequest['answer'], { kind: 'device data' }>['data'],
  ) {
    const { request, action } = await onPhone('4000000000003055')
    const outcome: Outcome = await simulator.goOn(request, action, { kind: 'device data', data })

    expect(outcome).toMatchObject({ kind: 'declined', code: 'card.failed-3ds-technical' })
    expect(await authorizationsOf(request)).toEqual([])
  }
})

function fieldsOf(action: RequestedAction): Readonly<Record<string, string>> {
  return 'page' in action ? (action.page.fields ?? {}) : {}
}

function dataOf(action: RequestedAction): Readonly<Record<string, unknown>> {
  return 'data' in action ? action.data : {}
}

function decoded(action: RequestedAction, field: string): unknown {
  return fromBase64Url(fieldsOf(action)[field] ?? '')
}

function fromBase64Url(text: string): unknown {
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}
