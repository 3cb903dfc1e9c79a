import { describe, expect, test } from '@jest/globals'
import { type NextStep, nextStepOf } from '../../../src/gateways/adyen/actions.ts'
import { type Continuation, readContinuation, writeContinuation } from '../../../src/gateways/adyen/continuation.ts'
import { decodeMessage } from '../../../src/gateways/adyen/messages.ts'
import { requestedAction } from '../../../src/gateways/adyen/outcomes.ts'
import { CUSTOMER_PRESENT, NOBODY_TO_ACT } from '../contract-authentication.ts'

const PAGE = 'https://issuer.example/acs?x=1'

const AUTHORIZATION = { reference: 'tr_op_1', authentication: CUSTOMER_PRESENT }
const stepOf = (action: object, known: Continuation | null = null) =>
  nextStepOf(action as Readonly<Record<string, unknown>>, known, AUTHORIZATION)

const tokenOf = (token: unknown) => Buffer.from(JSON.stringify(token)).toString('base64')
const fingerprint = (token: object, action: object = {}) => ({
  ...{ type: 'threeDS2', subtype: 'fingerprint', paymentData: 'Ab02b4c0', authorisationToken: 'token' },
  token: tokenOf({ threeDSServerTransID: 'server-1', threeDSMethodURL: PAGE, ...token }),
  ...action,
})
const challenge = (token: object, action: object = {}) => ({
  ...{ type: 'threeDS2', subtype: 'challenge', paymentData: 'Ab02b4c0', authorisationToken: 'token' },
  token: tokenOf({
    ...{ threeDSServerTransID: 'server-1', acsTransID: 'acs-1', acsURL: PAGE, messageVersion: '2.2.0' },
    ...token,
  }),
  ...action,
})

const continuationOf = (step: NextStep) =>
  step.kind === 'ask the customer' ? readContinuation(step.action.continuation, 'tr_op_1') : null

/** Addresses that a customer is not sent to; the others are those of every gateway. */
const NO_PAGES = ['http://issuer.example/acs', 'javascript:alert(1)', 7, null] as const

describe('an action of Adyen that cannot be handed on', () => {
  test.each(NO_PAGES)('because it leads to %j, is handed to nobody', (url) => {
    expect(stepOf({ type: 'redirect', method: 'GET', url })).toEqual({ kind: 'unusable', reason: 'address' })
    expect(stepOf({ type: 'redirect', method: 'POST', url, data: { MD: '1' } })).toMatchObject({ kind: 'unusable' })
    expect(stepOf(challenge({ acsURL: url }))).toEqual({ kind: 'unusable', reason: 'address' })
    // An issuer without a fingerprint page is told apart from one with a wrong page.
    if (url !== null)
      expect(stepOf(fingerprint({ threeDSMethodURL: url }))).toEqual({ kind: 'unusable', reason: 'address' })
  })

  test.each([
    ['action-type', { type: 'sdk', url: PAGE }],
    ['action-type', { type: 'nativeRedirect', url: PAGE }],
    ['action-type', {}],
    ['action-subtype', { ...challenge({}), subtype: 'approval' }],
    ['form', { type: 'redirect', method: 'PUT', url: PAGE, data: { MD: '1' } }],
    ['form', { type: 'redirect', method: 'POST', url: PAGE }],
    ['form', { type: 'redirect', method: 'POST', url: PAGE, data: {} }],
    ['form', { type: 'redirect', method: 'POST', url: PAGE, data: { MD: 1 } }],
    ['form', { type: 'redirect', method: 'POST', url: PAGE, data: { MD: 'x'.repeat(40_000) } }],
    ['token', fingerprint({}, { token: 'e30' })],
    ['token', fingerprint({}, { token: '%%%' })],
    ['token', fingerprint({}, { token: tokenOf([]) })],
    ['token', fingerprint({}, { token: 7 })],
    ['token', fingerprint({}, { paymentData: '' })],
    ['token', fingerprint({ threeDSServerTransID: '../x' })],
    ['token', challenge({ threeDSServerTransID: null })],
    ['token', challenge({ acsTransID: 'x'.repeat(65) })],
    ['token', challenge({ messageVersion: '1.0.2' })],
    ['token', challenge({ messageVersion: '2.2.0"' })],
    ['token', challenge({}, { paymentData: undefined, authorisationToken: undefined })],
    ['too-long', challenge({}, { paymentData: 'x'.repeat(17_000) })],
  ])('is unusable, %s: %j', (reason, action) => {
    expect(stepOf(action)).toEqual({ kind: 'unusable', reason })
  })

  test('is none if nobody can act, whatever it is', () => {
    for (const action of [{ type: 'redirect', url: PAGE }, fingerprint({}), challenge({}), {}])
      for (const authentication of [
        NOBODY_TO_ACT,
        { ...CUSTOMER_PRESENT, returnUrl: null },
        { ...CUSTOMER_PRESENT, isPossible: false },
      ])
        expect(nextStepOf(action, null, { reference: 'tr_op_1', authentication })).toEqual({ kind: 'unattended' })
  })
})

describe('an action of Adyen', () => {
  test.each(['RedirectShopper', 'IdentifyShopper', 'ChallengeShopper'])('is in an answer %s', (resultCode) => {
    const action = { type: 'redirect', url: PAGE }

    expect(requestedAction({ resultCode, action })).toEqual(action)
    expect(requestedAction({ resultCode })).toEqual({})
  })

  test('that redirects is opened by GET, unless it says otherwise', () => {
    const page = { url: PAGE, fields: null }
    expect(stepOf({ type: 'redirect', url: PAGE })).toMatchObject({ action: { type: 'url', isFullPage: true, page } })
    expect(stepOf({ type: 'redirect', method: 'GET', url: PAGE, data: { MD: '1' } })).toMatchObject({
      action: { page },
    })
  })

  test('names the fingerprint page as documented, or as the test host writes it', () => {
    const page = { url: PAGE, fields: { threeDSMethodData: expect.any(String) } }
    const other = fingerprint({ threeDSMethodURL: undefined, threeDSMethodUrl: PAGE })

    expect(stepOf(fingerprint({}))).toMatchObject({ action: { type: 'fingerprint', page } })
    expect(stepOf(other)).toMatchObject({ action: { type: 'fingerprint', page } })
  })

  test.each([undefined, null, ''])('without a fingerprint page (%p) skips it', (url) => {
    expect(stepOf(fingerprint({ threeDSMethodURL: url }))).toMatchObject({
      kind: 'skip the fingerprint',
      continuation: { step: 'fingerprint', threeDSServerTransID: 'server-1', threeDSCompInd: 'U' },
    })
  })

  test('keeps what is needed afterwards, and what earlier actions have told', () => {
    const first = continuationOf(stepOf(fingerprint({})))
    expect(first).toEqual({
      step: 'fingerprint',
      reference: 'tr_op_1',
      paymentData: 'Ab02b4c0',
      authorisationToken: 'token',
      threeDSServerTransID: 'server-1',
      acsTransID: null,
      messageVersion: null,
      threeDSCompInd: null,
    })

    const loaded: Continuation | null = first === null ? null : { ...first, threeDSCompInd: 'Y' }
    expect(
      continuationOf(stepOf(challenge({}, { paymentData: undefined, authorisationToken: 'next' }), loaded)),
    ).toEqual({
      ...loaded,
      step: 'challenge',
      paymentData: null,
      authorisationToken: 'next',
      acsTransID: 'acs-1',
      messageVersion: '2.2.0',
    })
  })
})

describe('a continuation', () => {
  const whole: Continuation = {
    step: 'challenge',
    reference: 'tr_op_1',
    paymentData: null,
    authorisationToken: 'token',
    threeDSServerTransID: 'server-1',
    acsTransID: 'acs-1',
    messageVersion: '2.2.0',
    threeDSCompInd: 'N',
  }

  test('is read as it was written, for its own reference alone', () => {
    const text = writeContinuation(whole) ?? ''

    expect(readContinuation(text, 'tr_op_1')).toEqual(whole)
    expect(readContinuation(text, 'tr_op_2')).toBeNull()
  })

  test.each([
    { step: 'approval' },
    { paymentData: 7 },
    { threeDSCompInd: 'X' },
    { acsTransID: undefined },
    { reference: undefined },
  ])('with %j is none', (change) => {
    expect(readContinuation(JSON.stringify({ ...whole, ...change }), 'tr_op_1')).toBeNull()
  })

  test('of up to 16 kB in UTF-8 is kept', () => {
    const overhead = (writeContinuation({ ...whole, paymentData: '' }) ?? '').length
    const room = 16 * 1024 - overhead

    expect(writeContinuation({ ...whole, paymentData: 'x'.repeat(room) })).toHaveLength(16 * 1024)
    expect(writeContinuation({ ...whole, paymentData: 'x'.repeat(room + 1) })).toBeNull()
    expect(writeContinuation({ ...whole, paymentData: 'ü'.repeat(room / 2 + 1) })).toBeNull()
  })
})

describe('a message', () => {
  test('is an object in base64 or base64url, with or without padding', () => {
    const message = { transStatus: 'Y', note: '???>>>ü' }
    const bytes = Buffer.from(JSON.stringify(message))
    const plain = bytes.toString('base64')

    for (const text of [plain, plain.replace(/=+$/, ''), bytes.toString('base64url')])
      expect(decodeMessage(text)).toEqual(message)
  })

  test.each([
    '',
    '=',
    'eyJ9',
    'e30=e30=',
    'e 3 0',
    'bnVsbA',
    'W10',
    'IlkiCg',
    'ew',
    'x'.repeat(17_000),
    undefined,
    null,
    7,
    {},
  ])('is nothing else: %p', (text) => {
    expect(decodeMessage(text)).toBeNull()
  })
})
