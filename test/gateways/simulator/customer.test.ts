import { createPublicKey, type JsonWebKey, verify, X509Certificate } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import type { RequestedAction } from '../../../domain/customer-action.ts'
import type { AuthorizeRequest, ContinueRequest } from '../../../src/gateways/gateway.ts'
import {
  actionIn,
  DEVICE,
  patience,
  RETURN_URL,
  RETURNED,
  simulatorForFile,
  withCustomer,
} from '../simulator-fixture.ts'

const CHALLENGED = '4000000000000101'
const VERSION_1 = '4000000000003246'
const FINGERPRINTED = '4000000000003063'
const ENDLESS_FINGERPRINT = '4000000000003220'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const TIMED_OUT = { kind: 'fingerprint timed out' } as const
const QUARTER_OF_AN_HOUR = 15 * 60_000
const WRONG = { kind: 'code', code: '4321' } as const
const RIGHT = { kind: 'code', code: '1234' } as const
const CANCEL = { kind: 'cancel' } as const

const simulator = simulatorForFile('customer')

/** An authorization that waits for its customer, and the bank's page for it. */
async function waiting(number: string, overrides: Partial<AuthorizeRequest> = {}) {
  const request = simulator.requestOf(number, { authentication: withCustomer(), ...overrides })
  const outcome = await simulator.gateway.authorize(request, patience())
  const action = actionIn(outcome)
  const id = action.continuation
  return {
    ...{ request, outcome, action, id },
    goOn: (answer: ContinueRequest['answer'] = RETURNED, changes: Partial<AuthorizeRequest> = {}) =>
      simulator.goOn({ ...request, ...changes }, action, answer),
    pass: () => simulator.act(action),
    open: () => simulator.bank.open(id),
    answer: (answer: Parameters<typeof simulator.bank.answer>[1]) => simulator.bank.answer(id, answer),
    authorizations: async () => (await simulator.readLog({ invoiceId: request.invoiceId })).authorizations,
  }
}
const onPhone = (number: string) => waiting(number, { authentication: withCustomer({ channel: 'ios' }) })

const fromBase64Url = (text: unknown): unknown => JSON.parse(Buffer.from(String(text ?? ''), 'base64url').toString())
const fieldsOf = (action: RequestedAction) => ('page' in action ? (action.page.fields ?? {}) : {})
const dataOf = (action: RequestedAction) => ('data' in action ? action.data : {}) as Readonly<Record<string, unknown>>
const cresIn = (page: Awaited<ReturnType<typeof simulator.bank.open>>) =>
  fromBase64Url('back' in page ? page.back?.fields.cres : undefined)

describe('an authorization at the simulator that waits for its customer', () => {
  test('asks for one action when fifty requests with one reference arrive together, and holds no money', async () => {
    const request = simulator.requestOf(CHALLENGED, { authentication: withCustomer() })

    const authorize = () => simulator.gateway.authorize(request, patience())
    const outcomes = await Promise.all(Array.from({ length: 50 }, authorize))

    expect(outcomes[0]?.kind).toBe('action-required')
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
    expect((await simulator.readLog({ invoiceId: request.invoiceId })).authorizations).toEqual([])
  })

  test('is decided in no other way by its reference', async () => {
    const { request, outcome, authorizations } = await waiting(CHALLENGED)
    const card = { number: '4242424242424242', expMonth: 1, expYear: 2031, name: null, cvc: null }
    const again = (changes: Partial<AuthorizeRequest>) =>
      simulator.gateway.authorize({ ...request, ...changes }, patience())

    expect(await again({ isMerchantInitiated: true })).toEqual(outcome)
    expect(await again({ card })).toEqual(outcome)
    expect((await again({ amountMinor: 1 })).kind).toBe('unknown')
    expect(await authorizations()).toEqual([])
  })

  test('cannot be captured, voided or incremented', async () => {
    const { request } = await waiting(CHALLENGED)
    const { requests } = await simulator.readLog({ reference: request.reference })
    const gatewayAuthorizationId = requests[0]?.gatewayAuthorizationId ?? ''
    const step = () => ({ ...request, reference: simulator.makeReference(), gatewayAuthorizationId })
    const { gateway } = simulator

    for (const outcome of [
      await gateway.capture({ ...step(), isFinal: true }, patience()),
      await gateway.void(step(), patience()),
      await gateway.increment({ ...step(), targetTotalMinor: 3_000 }, patience()),
    ])
      expect(outcome).toMatchObject({ kind: 'declined', code: 'gateway.transaction-not-found' })
  })

  test('keeps the last four digits of the card for the page until it is decided, and never more', async () => {
    const { request, pass, goOn } = await waiting(CHALLENGED)
    const select = 'select card_ending from simulator.waiting_authorization where reference = $1'
    const endingOf = () => simulator.execute(select, [request.reference])
    expect(await endingOf()).toEqual([{ card_ending: '0101' }])
    expect(await simulator.dump()).not.toContain(CHALLENGED)

    await goOn(await pass())

    expect(await endingOf()).toEqual([{ card_ending: null }])
  })
})

describe('the page of an action of the simulator', () => {
  test.each([
    [FINGERPRINTED, 'fingerprint'],
    [CHALLENGED, 'redirect'],
    [VERSION_1, 'url'],
  ])('of %s (%s) is at the origin that the browser returns to, under an id of its own', async (number, type) => {
    const { action } = await waiting(number)

    expect(action.type).toBe(type)
    expect(action.continuation).toMatch(/^sim_step_[0-9A-Za-z]{32}$/)
    expect(action).toMatchObject({
      page: { url: `https://pay.holdfast.example/simulator/bank/${action.continuation}` },
    })
    expect((await waiting(number)).id).not.toBe(action.continuation)
  })

  test('is opened with the fields of the protocol', async () => {
    const [fingerprint, challenge] = [await waiting(FINGERPRINTED), await waiting(CHALLENGED)]
    const uuid = expect.stringMatching(UUID)
    expect(fromBase64Url(fieldsOf(fingerprint.action).threeDSMethodData)).toEqual({
      threeDSServerTransID: uuid,
      threeDSMethodNotificationURL: RETURN_URL,
    })
    expect(fromBase64Url(fieldsOf(challenge.action).creq)).toEqual({
      ...{ messageType: 'CReq', messageVersion: '2.2.0', challengeWindowSize: '05' },
      ...{ threeDSServerTransID: uuid, acsTransID: uuid },
    })
    const { PaReq, TermUrl, MD } = fieldsOf((await waiting(VERSION_1)).action)
    expect(inflateSync(Buffer.from(PaReq ?? '', 'base64')).toString()).toContain('<amount>29.00</amount>')
    expect([TermUrl, MD]).toEqual([RETURN_URL, uuid])
  })

  test('of a payment without an address to return to is never made', async () => {
    const request = simulator.requestOf(CHALLENGED, { authentication: withCustomer({ returnUrl: 'not an address' }) })

    expect(await simulator.gateway.authorize(request, patience())).toMatchObject({ kind: 'unknown' })
    expect(await simulator.lookUp(request.reference)).toEqual({ kind: 'never-seen' })
  })

  test('of a challenge shows what is paid, where and with which card, as often as it is opened', async () => {
    const shop = { statementDescriptor: 'ANNA’S SHOP', amountMinor: 12_345, currency: 'JPY' }
    const { open } = await waiting(CHALLENGED, shop)

    for (let count = 0; count < 2; count += 1)
      expect(await open()).toEqual({
        ...{ kind: 'challenge', shop: 'ANNA’S SHOP', amountMinor: 12_345, currency: 'JPY', cardEnding: '0101' },
        ...{ isVersion1: false, isFullPage: false, wrongCodes: 0, triesLeft: 3, rightCode: '1234', ends: 'by code' },
      })
  })

  test('sends the result of the right code back to where the browser came from, also after a wrong one', async () => {
    const { answer, goOn } = await waiting(CHALLENGED)
    await answer(WRONG)
    const page = await answer(RIGHT)

    const back = { url: RETURN_URL, fields: { cres: expect.stringMatching(/^[\w-]+$/) } }
    expect(page).toEqual({ kind: 'answered', back, isFullPage: false })
    expect(cresIn(page)).toEqual({
      ...{ threeDSServerTransID: expect.any(String), acsTransID: expect.any(String) },
      ...{ messageType: 'CRes', messageVersion: '2.2.0', transStatus: 'Y' },
    })
    expect(await goOn()).toMatchObject({ kind: 'approved' })
  })

  test('gives three tries, and then fails for good', async () => {
    const { answer, goOn } = await waiting(CHALLENGED)

    expect(await answer(WRONG)).toMatchObject({ kind: 'challenge', wrongCodes: 1, triesLeft: 2 })
    expect(await answer(WRONG)).toMatchObject({ kind: 'challenge', wrongCodes: 2, triesLeft: 1 })
    const last = await answer(WRONG)
    expect([last.kind, cresIn(last)]).toEqual(['answered', expect.objectContaining({ transStatus: 'N' })])
    expect((await answer(RIGHT)).kind).toBe('used')
    expect(await goOn()).toMatchObject({ code: 'card.failed-3ds', authentication: { cresTransStatus: 'N' } })
  })

  test('counts every try when ten wrong codes arrive together', async () => {
    const { answer, open } = await waiting(CHALLENGED)

    const kinds = (await Promise.all(Array.from({ length: 10 }, () => answer(WRONG)))).map(({ kind }) => kind)

    expect(kinds.toSorted()).toEqual(['answered', 'challenge', 'challenge', ...Array(7).fill('used')])
    expect((await open()).kind).toBe('used')
  })

  test('takes one answer when the right code and the button to cancel arrive together', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { answer, goOn } = await waiting(CHALLENGED)

      const pages = await Promise.all([answer(RIGHT), answer(CANCEL)])

      const answered = pages.filter(({ kind }) => kind === 'answered')
      expect(answered).toHaveLength(1)
      const isPassed = JSON.stringify(answered.map(cresIn)).includes('"Y"')
      expect(await goOn()).toMatchObject({ kind: isPassed ? 'approved' : 'declined' })
    }
  })

  test('fails with the card that always fails, whatever is typed', async () => {
    for (const typed of [RIGHT, WRONG]) {
      const { open, answer, goOn } = await waiting('4000000000007130')
      expect(await open()).toMatchObject({ ends: 'always failing' })
      expect(cresIn(await answer(typed))).toMatchObject({ transStatus: 'N' })
      expect(await goOn()).toMatchObject({ code: 'card.failed-3ds' })
    }
  })

  test('that looks at the browser sends the id of the payment back, is used once it was loaded, and takes no code', async () => {
    const { id, answer, open, goOn } = await waiting(FINGERPRINTED)
    expect((await answer(RIGHT)).kind).toBe('fingerprint')
    expect(await simulator.bank.open(id, true)).toMatchObject({ kind: 'fingerprint' })

    const page = await open()

    expect(page).toMatchObject({ kind: 'fingerprint', back: { url: RETURN_URL } })
    const sent = fromBase64Url('back' in page ? page.back?.fields.threeDSMethodData : '')
    expect(sent).toEqual({ threeDSServerTransID: expect.any(String) })
    expect((await open()).kind).toBe('used')
    const authentication = { fingerprintCompleted: true, wasChallenged: false }
    expect(await goOn()).toMatchObject({ kind: 'approved', authentication })
  })

  test('that looks at the browser never ends with 4000000000003220, and is over when the customer goes on', async () => {
    const { open, goOn } = await waiting(ENDLESS_FINGERPRINT)

    for (let count = 0; count < 2; count += 1) expect(await open()).toEqual({ kind: 'fingerprint', back: null })
    await goOn(TIMED_OUT)
    expect((await open()).kind).toBe('used')
  })

  test('has expired after a quarter of an hour, and takes no answer', async () => {
    const { open, answer, goOn } = await waiting(CHALLENGED)
    const [fingerprint, inTime] = [await waiting(FINGERPRINTED), await waiting(CHALLENGED)]
    simulator.clock.advance(QUARTER_OF_AN_HOUR - 1)
    expect((await open()).kind).toBe('challenge')
    await inTime.pass()
    simulator.clock.advance(1)

    expect((await open()).kind).toBe('expired')
    for (const typed of [RIGHT, WRONG, CANCEL]) expect((await answer(typed)).kind).toBe('expired')
    expect((await fingerprint.open()).kind).toBe('expired')
    const authentication = { status: 'failed', cresTransStatus: null, wasChallenged: true }
    expect(await goOn()).toMatchObject({ code: 'card.expired-3ds', authentication })
    // The customer was at the bank before.
    expect(await inTime.goOn()).toMatchObject({ kind: 'approved' })
  })

  test('is none under an id that was never given, or of a step of a native library', async () => {
    const { id } = await onPhone(CHALLENGED)
    const invented = ['', 'x', `sim_step_${'0'.repeat(32)}`, '../../invoices', '\u0000', "' or true --"]
    for (const none of [id, ...invented, 'x'.repeat(20_000)]) {
      expect(await simulator.bank.open(none)).toEqual({ kind: 'unknown' })
      expect(await simulator.bank.answer(none, RIGHT)).toEqual({ kind: 'unknown' })
    }
  })
})

describe('what a browser brings back to the simulator', () => {
  const PASSED = { cres: Buffer.from('{"messageType":"CRes","transStatus":"Y"}').toString('base64url') }

  test('cannot turn a failed challenge into a passed one', async () => {
    const { answer, goOn } = await waiting(CHALLENGED)
    await answer(CANCEL)

    const authentication = { status: 'failed', aresTransStatus: 'C', cresTransStatus: 'N', hasLiabilityShift: false }
    const failed = { kind: 'declined', code: 'customer.cancelled', gatewayCode: 'CHALLENGE_CANCELED', authentication }
    expect(await goOn({ kind: 'returned', parameters: PASSED })).toMatchObject(failed)
  })

  test('leads to a challenge where the fingerprint was never taken, whatever it says, or came too late', async () => {
    const unopened = await waiting(FINGERPRINTED)
    await simulator.bank.open(unopened.id, true)
    expect(actionIn(await unopened.goOn()).type).toBe('redirect')

    const { request, pass, goOn } = await waiting(FINGERPRINTED)
    await pass()
    const next = actionIn(await goOn(TIMED_OUT))
    // Another answer to the same step comes too late.
    expect(actionIn(await goOn(RETURNED))).toEqual(next)
    const authentication = { fingerprintCompleted: false, wasChallenged: true, cresTransStatus: 'Y' }
    expect(await simulator.goOn(request, next, await simulator.act(next))).toMatchObject({ authentication })
  })

  test('has one outcome when two different answers arrive together', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { pass, goOn, authorizations } = await waiting(FINGERPRINTED)
      await pass()

      const outcomes = await Promise.all([RETURNED, TIMED_OUT, RETURNED, TIMED_OUT].map((answer) => goOn(answer)))

      for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
      expect(await authorizations()).toHaveLength(outcomes[0]?.kind === 'approved' ? 1 : 0)
    }
  })

  test('changes nothing of a payment that was approved, under a continuation that was never given', async () => {
    const { request, pass, goOn } = await waiting(CHALLENGED)
    await goOn(await pass())

    for (const continuation of ['', 'approved', `sim_step_${'0'.repeat(32)}`, '\u0000'])
      expect((await simulator.goOn(request, { continuation }, RETURNED)).kind).toBe('unknown')
  })

  test.each([
    ['amount', { amountMinor: 1 }],
    ['currency', { currency: 'USD' }],
    ['invoice', { invoiceId: 'iv_other' }],
    ['account', { gatewayConfigurationId: 'gway_conf_other' }],
  ])('for another %s decides nothing', async (_, changed) => {
    const { request, outcome, pass, goOn, authorizations } = await waiting(CHALLENGED)

    expect((await goOn(await pass(), changed)).kind).toBe('unknown')
    expect(await simulator.lookUp(request.reference)).toEqual({ kind: 'found', outcome })
    expect(await authorizations()).toEqual([])
  })

  const NATIVE_RESULT: ContinueRequest['answer'] = { kind: 'challenge result', transStatus: 'Y' }
  const DEVICE_DATA: ContinueRequest['answer'] = { kind: 'device data', data: DEVICE }
  test.each<[string, typeof waiting, string, ContinueRequest['answer']]>([
    ['a challenge in a browser', waiting, CHALLENGED, NATIVE_RESULT],
    ['a challenge in a browser', waiting, CHALLENGED, TIMED_OUT],
    ['a fingerprint in a browser', waiting, FINGERPRINTED, DEVICE_DATA],
    ['a native fingerprint', onPhone, CHALLENGED, RETURNED],
    ['a native fingerprint', onPhone, CHALLENGED, NATIVE_RESULT],
    ...['sdkAppID', 'sdkReferenceNumber', 'sdkTransID', 'sdkEncData'].map(
      (name): [string, typeof waiting, string, ContinueRequest['answer']] => [
        `a native fingerprint without ${name}`,
        onPhone,
        CHALLENGED,
        { kind: 'device data', data: { ...DEVICE, [name]: '' } },
      ],
    ),
    ...['crv', 'kty', 'x', 'y'].map((name): [string, typeof waiting, string, ContinueRequest['answer']] => [
      `a native fingerprint without ${name} of its key`,
      onPhone,
      CHALLENGED,
      { kind: 'device data', data: { ...DEVICE, sdkEphemPubKey: { ...DEVICE.sdkEphemPubKey, [name]: '' } } },
    ]),
  ])('that does not fit %s ends it as a technical failure', async (_, start, number, answer) => {
    const { goOn, authorizations } = await start(number)

    expect(await goOn(answer)).toMatchObject({
      ...{ kind: 'declined', code: 'card.failed-3ds-technical' },
      authentication: { status: 'unavailable', hasLiabilityShift: false },
    })
    expect(await authorizations()).toEqual([])
  })

  test('at a gateway that fails ends the authorization for good', async () => {
    const { pass, goOn, authorizations } = await waiting(CHALLENGED)
    const failed = { kind: 'declined', code: 'gateway.internal-error' }

    expect(await goOn(await pass(), { settings: { fault_rate: '1', faults: 'failed' } })).toMatchObject(failed)
    expect(await goOn()).toMatchObject(failed)
    expect(await authorizations()).toEqual([])
  })

  test.each<[card: string, overrides: Partial<AuthorizeRequest>, outcome: object, authorization: object]>([
    ['4000000000007007', {}, { kind: 'unknown' }, { authorizedMinor: 2_900 }],
    ['4000000000007114', {}, { kind: 'approved', amountMinor: 1_450 }, { authorizedMinor: 1_450 }],
    ['4000000000007155', { mayFallBackToSale: true }, { kind: 'approved', isSale: true }, { capturedMinor: 2_900 }],
    ['4242424242424242', { incremental: true }, { kind: 'approved' }, { incremental: true, capturedMinor: 0 }],
  ])('lets %s play its scenario after the authentication', async (number, overrides, outcome, authorization) => {
    const authentication = withCustomer({ challengeIndicator: 'challenge-requested' })
    const { request, pass, goOn, authorizations } = await waiting(number, { authentication, ...overrides })

    expect(await goOn(await pass())).toMatchObject(outcome)
    expect(await authorizations()).toMatchObject([authorization])
    expect(await simulator.lookUp(request.reference)).toMatchObject({
      outcome: { kind: 'approved', authentication: { status: 'authenticated', cresTransStatus: 'Y' } },
    })
  })

  test('takes a challenge that was begun for the first use of the card', async () => {
    const card = { number: '4000000000006009', expMonth: 7, expYear: 2034, name: null, cvc: null }
    const authentication = withCustomer({ challengeIndicator: 'challenge-requested' })
    for (const outcome of [{ kind: 'approved' }, { kind: 'declined', code: 'card.no-money' }]) {
      const { pass, goOn } = await waiting(card.number, { card, authentication })
      expect(await goOn(await pass())).toMatchObject(outcome)
    }
  })
})

describe('a native library at the simulator', () => {
  test('is given the directory server of the scheme', async () => {
    const data = dataOf((await onPhone(CHALLENGED)).action)

    expect(data).toEqual({
      ...{ directoryServerID: 'A000000003', messageVersion: '2.2.0', scheme: 'visa' },
      ...{ directoryServerPublicKey: expect.any(String), directoryServerRootCAs: [expect.any(String)] },
      threeDSServerTransID: expect.stringMatching(UUID),
    })
    const key = createPublicKey({ key: JSON.parse(String(data.directoryServerPublicKey)) as JsonWebKey, format: 'jwk' })
    const [root = ''] = data.directoryServerRootCAs as string[]
    const certificate = new X509Certificate(Buffer.from(root, 'base64'))
    expect([certificate.ca, certificate.publicKey.equals(key), certificate.verify(key)]).toEqual([true, true, true])
    expect(new Date(certificate.validTo).getTime()).toBeGreaterThan(Date.parse('2040-01-01'))
  })

  test('is given a challenge that is signed and contains its own key', async () => {
    const { action, goOn } = await onPhone(CHALLENGED)
    const data = dataOf(actionIn(await goOn({ kind: 'device data', data: DEVICE })))

    expect(data).toEqual({
      ...{ acsTransID: expect.stringMatching(UUID), acsReferenceNumber: expect.any(String) },
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

  test('cannot skip the challenge', async () => {
    const { request, goOn, authorizations } = await onPhone(CHALLENGED)
    const data: ContinueRequest['answer'] = { kind: 'device data', data: DEVICE }
    const next = actionIn(await goOn(data))

    expect(await simulator.goOn(request, next, data)).toMatchObject({ code: 'card.failed-3ds-technical' })
    expect(await authorizations()).toEqual([])
  })
})
