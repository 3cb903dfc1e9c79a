import { describe, expect, test } from '@jest/globals'
import type { RequestedAction } from '../../../domain/customer-action.ts'
import type { Outcome } from '../../../domain/operation.ts'
import { createAdyen } from '../../../src/gateways/adyen/adapter.ts'
import type { AuthorizeRequest, ContinueRequest } from '../../../src/gateways/gateway.ts'
import { startAdyenStandIn } from '../../../stand-ins/adyen/adyen.ts'
import type { Fields } from '../../../stand-ins/adyen/issuer.ts'
import { forFile, openForFile } from '../../support/for-file.ts'
import {
  AUTHENTICATION_CASES,
  CUSTOMER_PRESENT,
  EXTERNAL,
  expectAction,
  goOn,
  RETURN_URL,
} from '../contract-authentication.ts'
import { openLines } from '../line.ts'
import { BROWSER } from './authentication-fixture.ts'
import { cardOf, makeRequests, patience } from './fixture.ts'

type Answer = ContinueRequest['answer']

const IN_BROWSER = { ...CUSTOMER_PRESENT, browser: BROWSER }

const { authorization } = makeRequests('adyen-authentication')
const standIn = openForFile(() => startAdyenStandIn())
const lines = openForFile(() => openLines(standIn.url, () => true))
const gateway = forFile(async () => createAdyen({ baseUrl: await lines.open() }))

const pageOf = (action: RequestedAction) => {
  if (!('page' in action)) throw new Error('Adyen asks for pages only.')
  return action.page
}

const act = (action: RequestedAction, passes: boolean): Answer => {
  const { url, fields } = pageOf(action)
  return { kind: 'returned', parameters: standIn.books.visit(url, fields, passes) }
}

const asking = (holder: string, overrides: Partial<AuthorizeRequest> = {}) =>
  authorization({ card: cardOf(holder), authentication: IN_BROWSER, ...overrides })

describe.each(['REDIRECT', 'REDIRECT_POST', 'NATIVE', 'NATIVE_CHALLENGE', 'NATIVE_WITHOUT_METHOD'])(
  'a customer at Adyen whose issuer answers like %s',
  (holder) => {
    test.each(AUTHENTICATION_CASES)('$name', ({ check }) =>
      check({
        gateway,
        over: async (trouble) => createAdyen({ baseUrl: await lines.open(trouble) }),
        request: (overrides) => asking(holder, overrides),
        act: async (action, passes) => act(action, passes),
        countAuthorizations: async (invoiceId) => standIn.books.authorizations(invoiceId).length,
      }),
    )
  },
)

/** The outcomes of a payment, one for each call, with the customer passing or failing what is asked. */
const walk = async (request: AuthorizeRequest, passes = true): Promise<Outcome[]> => {
  const outcomes = [await gateway.authorize(request, patience())]
  for (let last = outcomes[0]; last?.kind === 'action-required'; last = outcomes.at(-1))
    outcomes.push(await goOn(gateway, request, last.action.continuation, act(last.action, passes)))
  return outcomes
}

const kindOf = (outcome: Outcome) => (outcome.kind === 'action-required' ? outcome.action.type : outcome.kind)

const detailsSent = () => standIn.arrived.filter(({ path }) => path.endsWith('/payments/details'))

/** What Adyen was told last. */
const lastDetails = () => (detailsSent().at(-1)?.fields.details ?? {}) as Record<string, string>

describe('the actions of Adyen', () => {
  test.each([
    ['REDIRECT', ['url', 'approved']],
    ['REDIRECT_POST', ['url', 'approved']],
    ['NATIVE', ['fingerprint', 'redirect', 'approved']],
    ['NATIVE_FRICTIONLESS', ['fingerprint', 'approved']],
    ['NATIVE_CHALLENGE', ['redirect', 'approved']],
    ['NATIVE_WITHOUT_METHOD', ['redirect', 'approved']],
  ])('of %s become %j', async (holder, kinds) => {
    expect((await walk(asking(holder))).map(kindOf)).toEqual(kinds)
  })

  test('that ask for a fingerprint lead back to us', async () => {
    const action = expectAction(await gateway.authorize(asking('NATIVE'), patience()))

    const { url, fields } = pageOf(action)
    expect(url).toBe('https://issuer.example/method')
    expect(Object.keys(fields ?? {})).toEqual(['threeDSMethodData'])
    expect(fields?.threeDSMethodData).toMatch(/^[\w-]+$/)
    expect(decoded(fields?.threeDSMethodData)).toEqual({
      threeDSServerTransID: expect.stringMatching(/^server-session-\d+$/),
      threeDSMethodNotificationURL: RETURN_URL,
    })
  })

  test('that ask for a challenge post what the issuer needs, and nothing else', async () => {
    const [, challenge] = await walk(asking('NATIVE'))

    const { url, fields } = pageOf(expectAction(challenge ?? { kind: 'unknown', reason: 'no outcome' }))
    expect(url).toBe('https://issuer.example/challenge')
    expect(Object.keys(fields ?? {})).toEqual(['creq'])
    expect(fields?.creq).toMatch(/^[\w-]+$/)
    expect(decoded(fields?.creq)).toEqual({
      threeDSServerTransID: expect.stringMatching(/^server-session-\d+$/),
      acsTransID: expect.stringMatching(/^acs-session-\d+$/),
      messageVersion: '2.2.0',
      messageType: 'CReq',
      challengeWindowSize: '05',
    })
  })

  test('that never end are ended', async () => {
    const request = asking('NATIVE_CIRCLES')

    expect(await gateway.authorize(request, patience())).toMatchObject({
      kind: 'declined',
      code: 'card.failed-3ds-technical',
    })
    expect(standIn.books.authorizations(request.invoiceId)).toEqual([])
  })
})

function decoded(message: string | undefined): unknown {
  return JSON.parse(Buffer.from(message ?? '', 'base64url').toString())
}

describe('what Adyen is told of the customer', () => {
  test('is the result of its page, under a key of its own', async () => {
    const request = asking('REDIRECT')
    await walk(request)

    const sent = detailsSent().at(-1)
    expect(sent?.fields).toEqual({ details: { redirectResult: expect.stringMatching(/^result-of-session-\d+$/) } })
    expect(sent?.headers['idempotency-key']).toMatch(new RegExp(`^${request.reference}-[0-9a-f]{16}$`))
    expect(String(sent?.headers['idempotency-key']).length).toBeLessThanOrEqual(64)
  })

  test('is whether the fingerprint page was loaded, and how the challenge ended', async () => {
    const before = detailsSent().length
    await walk(asking('NATIVE'))

    const [fingerprint, challenge] = detailsSent().slice(before)
    const details = (sent: typeof fingerprint) => sent?.fields.details as Record<string, string>
    expect(Object.keys(details(fingerprint))).toEqual(['threeds2.fingerprint'])
    expect(decoded(details(fingerprint)['threeds2.fingerprint'])).toEqual({ threeDSCompInd: 'Y' })
    expect(fingerprint?.fields.paymentData).toMatch(/^Ab02b4c0!session-\d+$/)
    expect(Object.keys(details(challenge))).toEqual(['threeDSResult'])
    expect(decoded(details(challenge).threeDSResult)).toEqual({
      transStatus: 'Y',
      authorisationToken: expect.stringMatching(/^authorise-session-\d+$/),
    })
    expect(challenge?.headers['idempotency-key']).not.toBe(fingerprint?.headers['idempotency-key'])
  })

  test.each<[string, Answer, 'N' | 'Y']>([
    ['timed out', { kind: 'fingerprint timed out' }, 'N'],
    ['came back with nothing', { kind: 'returned', parameters: {} }, 'N'],
    ['came back with nonsense', { kind: 'returned', parameters: { threeDSMethodData: '%%%' } }, 'N'],
    ['came back for another payment', returnedMethod({ threeDSServerTransID: 'server-session-0' }), 'N'],
    ['came back as a list', returnedMethod([]), 'N'],
  ])('is that a fingerprint page was not loaded if it %s', async (_, answer, completion) => {
    const request = asking('NATIVE')
    const { continuation } = expectAction(await gateway.authorize(request, patience()))

    expect(kindOf(await goOn(gateway, request, continuation, answer))).toBe('redirect')
    expect(standIn.books.completionOf(request.reference)).toBe(completion)
  })
})

function returnedMethod(message: unknown): Answer {
  const threeDSMethodData = Buffer.from(JSON.stringify(message)).toString('base64url')
  return { kind: 'returned', parameters: { threeDSMethodData } }
}

describe('the result of a challenge', () => {
  const challenged = async () => {
    const request = asking('NATIVE_CHALLENGE')
    const action = expectAction(await gateway.authorize(request, patience()))
    return { request, action, cres: cresOf(act(action, false)) }
  }
  const cresOf = (answer: Answer) => (answer.kind === 'returned' ? (answer.parameters.cres ?? '') : '')
  const encoded = (message: unknown) => Buffer.from(JSON.stringify(message)).toString('base64url')

  test('that a customer has written is no approval: the issuer has told Adyen', async () => {
    const { request, action, cres } = await challenged()
    const forged = encoded({ ...(decoded(cres) as object), transStatus: 'Y' })

    const outcome = await goOn(gateway, request, action.continuation, {
      kind: 'returned',
      parameters: { cres: forged },
    })

    expect(outcome).toMatchObject({ kind: 'declined', code: 'card.failed-3ds', authentication: { status: 'failed' } })
    expect(standIn.books.authorizations(request.invoiceId)).toEqual([])
  })

  test.each([
    ['of another challenge', (cres: object) => encoded({ ...cres, acsTransID: 'acs-session-0' })],
    ['of another payment', (cres: object) => encoded({ ...cres, threeDSServerTransID: 'server-session-0' })],
    ['of another kind', (cres: object) => encoded({ ...cres, messageType: 'Erro' })],
    ['with a word for a letter', (cres: object) => encoded({ ...cres, transStatus: 'YES' })],
    ['with a letter that is none', (cres: object) => encoded({ ...cres, transStatus: 'X' })],
    ['with a list for a letter', (cres: object) => encoded({ ...cres, transStatus: ['Y'] })],
    ['that is a list', (cres: object) => encoded([cres])],
    ['that is no JSON', () => Buffer.from('transStatus=Y').toString('base64url')],
    ['that is not encoded', () => '{"transStatus":"Y"}'],
    ['in broken UTF-8', () => Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')],
    ['that is missing', () => ''],
  ])('%s tells Adyen that nothing is known', async (_, change) => {
    const { request, action, cres } = await challenged()
    const parameters = { cres: change(decoded(cres) as object) }

    await goOn(gateway, request, action.continuation, { kind: 'returned', parameters })

    const { threeDSResult } = lastDetails()
    expect(decoded(threeDSResult)).toMatchObject({ transStatus: 'U' })
  })
})

describe('an answer that does not belong to its action', () => {
  test.each<[string, string, Answer]>([
    ['REDIRECT', 'a fingerprint', { kind: 'fingerprint timed out' }],
    ['NATIVE_CHALLENGE', 'a fingerprint', { kind: 'fingerprint timed out' }],
    ['NATIVE', 'a native library', { kind: 'challenge result', transStatus: 'Y' }],
    ['NATIVE_CHALLENGE', 'a native library', { kind: 'challenge result', transStatus: 'Y' }],
    ['REDIRECT', 'nobody', { kind: 'returned', parameters: {} }],
    ['REDIRECT', 'half a form', { kind: 'returned', parameters: { MD: 'session-1' } }],
  ])('of %s, that of %s, is refused and not handed on', async (holder, _, answer) => {
    const request = asking(holder)
    const { continuation } = expectAction(await gateway.authorize(request, patience()))
    const before = standIn.arrived.length

    expect(await goOn(gateway, request, continuation, answer)).toMatchObject({
      kind: 'declined',
      code: 'gateway.invalid-customer-input',
    })
    expect(standIn.arrived.length).toBe(before)
  })
})

describe('the answer to what the customer has brought back', () => {
  /** Goes on over a line that changes the answer. */
  const answered = async (change: (answer: Fields) => Fields) => {
    const request = asking('REDIRECT')
    const action = expectAction(await gateway.authorize(request, patience()))
    const changing = await lines.open({ kind: 'changes-answers', change: (answer) => change(answer as Fields) })
    return goOn(createAdyen({ baseUrl: changing }), request, action.continuation, act(action, true))
  }

  test('is unknown if it does not name our reference, or names it otherwise than as a text', async () => {
    expect((await answered(({ merchantReference: _, ...others }) => others)).kind).toBe('unknown')
    expect((await answered((answer) => ({ ...answer, merchantReference: 7 }))).kind).toBe('unknown')
    expect((await answered((answer) => ({ ...answer, merchantReference: '' }))).kind).toBe('unknown')
  })

  test('that asks for an action without naming our reference leads to it, and then to the check', async () => {
    const action = { type: 'redirect', method: 'POST', url: 'https://issuer.example/acs', data: { MD: 'session-0' } }

    expect(await answered(() => ({ resultCode: 'RedirectShopper', action }))).toMatchObject({
      kind: 'action-required',
      action: { type: 'url', page: { url: action.url, fields: { MD: 'session-0' } } },
    })
    expect(
      await answered(() => ({ resultCode: 'RedirectShopper', action, merchantReference: 'order-7' })),
    ).toMatchObject({ kind: 'declined', gatewayCode: 'foreign-source' })
  })
})

describe('what Adyen reports of an authentication', () => {
  const resultOf = (outcomes: Outcome[]) => {
    const last = outcomes.at(-1)
    return last?.kind === 'approved' || last?.kind === 'declined' ? last.authentication : undefined
  }

  test.each([
    ['NATIVE', { fingerprintCompleted: true, aresTransStatus: 'C', cresTransStatus: 'Y', wasChallenged: true }],
    [
      'NATIVE_FRICTIONLESS',
      { fingerprintCompleted: true, aresTransStatus: 'Y', cresTransStatus: null, wasChallenged: false },
    ],
    ['NATIVE_WITHOUT_METHOD', { fingerprintCompleted: null, wasChallenged: true }],
    ['NATIVE_CHALLENGE', { fingerprintCompleted: null, wasChallenged: true }],
    ['REDIRECT', { fingerprintCompleted: null, serverTransId: null, wasChallenged: true }],
  ])('of %s comes with the approval', async (holder, result) => {
    const authentication = resultOf(await walk(asking(holder)))

    expect(authentication).toMatchObject({
      version: '2.2.0',
      status: 'authenticated',
      eci: '05',
      dsTransId: 'a3b86754-444d-46ca-95a2-ada351d3f42c',
      hasLiabilityShift: true,
      ...result,
    })
  })

  test('never holds the proof of an authentication that was made elsewhere', async () => {
    const outcome = await gateway.authorize(
      asking('NATIVE', { authentication: { ...IN_BROWSER, external: EXTERNAL } }),
      patience(),
    )

    expect(outcome.kind).toBe('approved')
    expect(JSON.stringify(outcome)).not.toContain(EXTERNAL.cavv)
  })
})
