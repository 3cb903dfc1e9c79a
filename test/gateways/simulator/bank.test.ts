import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { AuthorizeRequest } from '../../../src/gateways/gateway.ts'
import { actionIn, makeSimulator, patience, RETURN_URL, RETURNED, withCustomer } from '../simulator-fixture.ts'

const CHALLENGED = '4000000000000101'
const VERSION_1 = '4000000000003246'
const FINGERPRINTED = '4000000000003063'
const FAILING = '4000000000007130'
const QUARTER_OF_AN_HOUR = 15 * 60_000
const WRONG = { kind: 'code', code: '4321' } as const
const RIGHT = { kind: 'code', code: '1234' } as const
const CANCEL = { kind: 'cancel' } as const

let simulator: Awaited<ReturnType<typeof makeSimulator>>
beforeAll(async () => {
  simulator = await makeSimulator('bank')
})
afterAll(() => simulator.drop())

/** The page of an authorization that waits for its customer. */
async function pageOf(number: string, overrides: Partial<AuthorizeRequest> = {}) {
  const request = simulator.requestOf(number, { authentication: withCustomer(), ...overrides })
  const action = actionIn(await simulator.gateway.authorize(request, patience()))
  return { request, action, id: action.continuation }
}

const cresIn = (page: Awaited<ReturnType<typeof simulator.bank.open>>) => {
  const cres = 'back' in page ? page.back?.fields.cres : undefined
  return JSON.parse(Buffer.from(cres ?? '', 'base64url').toString()) as unknown
}

describe('the page of a challenge', () => {
  test('shows what is paid, where and with which card, and nothing more of it', async () => {
    const { id } = await pageOf(CHALLENGED, {
      statementDescriptor: 'ANNA’S SHOP',
      amountMinor: 12_345,
      currency: 'JPY',
    })

    expect(await simulator.bank.open(id)).toEqual({
      kind: 'challenge',
      shop: 'ANNA’S SHOP',
      amountMinor: 12_345,
      currency: 'JPY',
      cardEnding: '0101',
      isVersion1: false,
      isFullPage: false,
      wrongCodes: 0,
      triesLeft: 3,
      rightCode: '1234',
      ends: 'by code',
    })
  })

  test('can be looked at as often as the customer likes', async () => {
    const { id } = await pageOf(CHALLENGED)
    const first = await simulator.bank.open(id)

    for (let count = 0; count < 3; count += 1) expect(await simulator.bank.open(id)).toEqual(first)
  })

  test('sends the result of the right code back to where the browser came from', async () => {
    const { id } = await pageOf(CHALLENGED)
    const page = await simulator.bank.answer(id, RIGHT)

    expect(page).toEqual({
      kind: 'answered',
      back: { url: RETURN_URL, fields: { cres: expect.stringMatching(/^[\w-]+$/) } },
      isFullPage: false,
    })
    expect(cresIn(page)).toEqual({
      threeDSServerTransID: expect.any(String),
      acsTransID: expect.any(String),
      messageType: 'CRes',
      messageVersion: '2.2.0',
      transStatus: 'Y',
    })
  })

  test('gives three tries, and then fails for good', async () => {
    const { request, action, id } = await pageOf(CHALLENGED)

    expect(await simulator.bank.answer(id, WRONG)).toMatchObject({ kind: 'challenge', wrongCodes: 1, triesLeft: 2 })
    expect(await simulator.bank.answer(id, WRONG)).toMatchObject({ kind: 'challenge', wrongCodes: 2, triesLeft: 1 })
    const last = await simulator.bank.answer(id, WRONG)

    expect(last.kind).toBe('answered')
    expect(cresIn(last)).toMatchObject({ transStatus: 'N' })
    expect((await simulator.bank.answer(id, RIGHT)).kind).toBe('used')
    expect(await simulator.goOn(request, action, RETURNED)).toMatchObject({
      kind: 'declined',
      code: 'card.failed-3ds',
      authentication: { cresTransStatus: 'N' },
    })
  })

  test('counts every try when ten wrong codes arrive together', async () => {
    const { id } = await pageOf(CHALLENGED)

    const pages = await Promise.all(Array.from({ length: 10 }, () => simulator.bank.answer(id, WRONG)))

    expect(pages.filter(({ kind }) => kind === 'answered')).toHaveLength(1)
    expect(pages.filter(({ kind }) => kind === 'used')).toHaveLength(7)
    expect((await simulator.bank.open(id)).kind).toBe('used')
  })

  test('takes one answer when the right code and the button to cancel arrive together', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { request, action, id } = await pageOf(CHALLENGED)

      const pages = await Promise.all([RIGHT, CANCEL].map((answer) => simulator.bank.answer(id, answer)))

      const [answered, ...others] = pages.filter(({ kind }) => kind === 'answered')
      expect(others).toEqual([])
      const isPassed = JSON.stringify(cresIn(answered ?? { kind: 'unknown' })).includes('"Y"')
      expect(await simulator.goOn(request, action, RETURNED)).toMatchObject({
        kind: isPassed ? 'approved' : 'declined',
      })
    }
  })

  test('accepts the right code after a wrong one', async () => {
    const { request, action, id } = await pageOf(CHALLENGED)
    await simulator.bank.answer(id, WRONG)

    expect((await simulator.bank.answer(id, RIGHT)).kind).toBe('answered')
    expect(await simulator.goOn(request, action, RETURNED)).toMatchObject({ kind: 'approved' })
  })

  test('fails with the card that always fails, whatever is typed', async () => {
    for (const answer of [RIGHT, WRONG]) {
      const { request, action, id } = await pageOf(FAILING)
      expect(await simulator.bank.open(id)).toMatchObject({ ends: 'always failing' })

      expect(cresIn(await simulator.bank.answer(id, answer))).toMatchObject({ transStatus: 'N' })
      expect(await simulator.goOn(request, action, RETURNED)).toMatchObject({ code: 'card.failed-3ds' })
    }
  })

  test('of version 1 sends back a result with the merchant’s own data', async () => {
    const { action, id } = await pageOf(VERSION_1)
    expect(await simulator.bank.open(id)).toMatchObject({ kind: 'challenge', isVersion1: true })

    const page = await simulator.bank.answer(id, RIGHT)

    const { MD } = 'page' in action ? (action.page.fields ?? {}) : {}
    expect(page).toMatchObject({ back: { url: RETURN_URL, fields: { PaRes: expect.stringMatching(/./), MD } } })
  })

  test('of a bank that refuses frames says so on every page', async () => {
    const { id } = await pageOf('4242424242424242', simulator.named('three-d-s-full-page'))

    expect(await simulator.bank.open(id)).toMatchObject({ kind: 'challenge', isFullPage: true })
    expect(await simulator.bank.answer(id, CANCEL)).toMatchObject({ kind: 'answered', isFullPage: true })
    expect(await simulator.bank.open(id)).toMatchObject({ kind: 'used', isFullPage: true })
  })
})

describe('the page that looks at the browser', () => {
  test('sends the id of the payment back, and is used once it was loaded', async () => {
    const { request, action, id } = await pageOf(FINGERPRINTED)
    expect(await simulator.bank.open(id, true)).toMatchObject({ kind: 'fingerprint' })

    const page = await simulator.bank.open(id)

    const sent = 'back' in page ? page.back?.fields.threeDSMethodData : undefined
    expect(page).toMatchObject({ kind: 'fingerprint', back: { url: RETURN_URL } })
    expect(JSON.parse(Buffer.from(sent ?? '', 'base64url').toString())).toEqual({
      threeDSServerTransID: expect.any(String),
    })
    expect((await simulator.bank.open(id)).kind).toBe('used')
    expect(await simulator.goOn(request, action, RETURNED)).toMatchObject({
      kind: 'approved',
      authentication: { fingerprintCompleted: true, wasChallenged: false },
    })
  })

  test('is not loaded by a mere look', async () => {
    const { request, action, id } = await pageOf(FINGERPRINTED)
    await simulator.bank.open(id, true)

    expect(actionIn(await simulator.goOn(request, action, RETURNED)).type).toBe('redirect')
  })

  test('never ends with 4000000000003220', async () => {
    const { id } = await pageOf('4000000000003220')

    for (let count = 0; count < 2; count += 1)
      expect(await simulator.bank.open(id)).toEqual({ kind: 'fingerprint', back: null })
  })

  test('takes no code', async () => {
    const { id } = await pageOf(FINGERPRINTED)

    expect((await simulator.bank.answer(id, RIGHT)).kind).toBe('fingerprint')
    expect((await simulator.bank.open(id)).kind).toBe('fingerprint')
  })
})

describe('a page that is over', () => {
  test('has expired after a quarter of an hour, and takes no answer', async () => {
    const { request, action, id } = await pageOf(CHALLENGED)
    const fingerprint = await pageOf(FINGERPRINTED)
    simulator.clock.advance(QUARTER_OF_AN_HOUR - 1)
    expect((await simulator.bank.open(id)).kind).toBe('challenge')
    simulator.clock.advance(1)

    expect((await simulator.bank.open(id)).kind).toBe('expired')
    for (const answer of [RIGHT, WRONG, CANCEL]) expect((await simulator.bank.answer(id, answer)).kind).toBe('expired')
    expect((await simulator.bank.open(fingerprint.id)).kind).toBe('expired')
    expect(await simulator.goOn(request, action, RETURNED)).toMatchObject({ code: 'card.expired-3ds' })
  })

  test('was used, and leads back with the same result', async () => {
    const { id } = await pageOf(CHALLENGED)
    const answered = await simulator.bank.answer(id, RIGHT)

    for (const again of [await simulator.bank.open(id), await simulator.bank.answer(id, CANCEL)]) {
      expect(again.kind).toBe('used')
      expect(cresIn(again)).toEqual(cresIn(answered))
    }
  })

  test('belongs to an authorization that no longer waits for it', async () => {
    const { request, action, id } = await pageOf('4000000000003220')
    await simulator.goOn(request, action, { kind: 'fingerprint timed out' })

    expect((await simulator.bank.open(id)).kind).toBe('used')
  })

  test.each(['', 'x', `sim_step_${'0'.repeat(32)}`, '../../invoices', '\u0000', "' or true --", 'x'.repeat(20_000)])(
    'was never there: %j',
    async (id) => {
      expect(await simulator.bank.open(id)).toEqual({ kind: 'unknown' })
      expect(await simulator.bank.answer(id, RIGHT)).toEqual({ kind: 'unknown' })
    },
  )

  test('is no page at all where the step belongs to a native library', async () => {
    const { id } = await pageOf(CHALLENGED, { authentication: withCustomer({ channel: 'ios' }) })

    expect(await simulator.bank.open(id)).toEqual({ kind: 'unknown' })
  })
})
