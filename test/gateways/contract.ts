import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ERRORS, isErrorCode } from '../../domain/errors.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import type { Approval, GatewayOperationType, Outcome } from '../../domain/operation.ts'
import type {
  AuthorizeRequest,
  CaptureRequest,
  FollowUpRequest,
  Gateway,
  GatewayAccess,
  GatewayCard,
  IncrementRequest,
  LookUpRequest,
} from '../../src/gateways/gateway.ts'
import { seededRandomBytes } from '../support/random.ts'

/** What an adapter's test brings along so that the conformance suite can judge it. */
export interface GatewayHarness {
  gateway: Gateway
  /** The account at the gateway that everything is done with. */
  access: Pick<GatewayAccess, 'credentials' | 'settings'>
  /**
   * True where a look-up also finds a step that was refused. Where it does not, it says that the step was never seen, and
   * the same step asked for again is answered like the first.
   */
  remembersRefusedSteps: boolean
  /** False where the gateway has no look-up by our reference: what is not known from a notification cannot be learned. */
  looksUp?: false
  /** False where a step is sent without a look at what is left of the authorization. */
  seesWhatIsLeft?: false
  /** False where a repetition that overtakes its own first request is told that this is under way, which is `unknown`. */
  repetitionsWait: boolean
  /**
   * The same gateway over a line on which every request arrives and every answer is lost. Answers to what moves no money and
   * only comes before a call that does are not lost.
   */
  losingAnswers: Gateway
  /** The same gateway where nobody listens; absent where it is no connection away. */
  unreachable?: Gateway
  /** The same gateway, whose answers say in place of their status a word that its documentation does not have. */
  inventingAnswers: Gateway
  approvedCard: { card: GatewayCard; scheme: string }
  declinedCard: { card: GatewayCard; scheme: string }
  /** The approved authorizations of an invoice in the gateway's own books. */
  countAuthorizations(invoiceId: string): Promise<number>
  /** What was captured for an invoice, in minor units, in the gateway's own books. */
  capturedMinor(invoiceId: string): Promise<number>
  /** What was given back of it. */
  refundedMinor(invoiceId: string): Promise<number>
  close(): Promise<void>
}

const CURRENCY = 'EUR'
const AMOUNT = 2_900

/** Long enough for any answer; a test that needs it to pass has failed. */
const patience = () => AbortSignal.timeout(20_000)

/** What every gateway adapter must do, whatever stands behind it. Source: the comments of `Gateway`. */
export function describeGateway(name: string, makeHarness: () => Promise<GatewayHarness>): void {
  const randomBytes = seededRandomBytes(name)
  const makeReference = () => makeIdentifier('operation', randomBytes)
  const makeInvoiceId = () => makeIdentifier('invoice', randomBytes)
  const gatewayConfigurationId = makeIdentifier('gatewayConfiguration', randomBytes)

  describe(`${name} keeps the contract of a gateway`, () => {
    let harness: GatewayHarness
    let gateway: Gateway

    beforeAll(async () => {
      harness = await makeHarness()
      gateway = harness.gateway
    })
    afterAll(() => harness.close())

    const authorizationRequest = (overrides: Partial<AuthorizeRequest> = {}): AuthorizeRequest => ({
      ...harness.access,
      ...harness.approvedCard,
      reference: makeReference(),
      gatewayConfigurationId,
      invoiceId: makeInvoiceId(),
      amountMinor: AMOUNT,
      currency: CURRENCY,
      gatewayRequest: null,
      incremental: false,
      mayFallBackToSale: false,
      isMerchantInitiated: false,
      initialSchemeTransactionId: null,
      statementDescriptor: null,
      ...overrides,
    })

    /** An approved authorization, and requests for later steps on it. */
    const authorize = async (overrides: Partial<AuthorizeRequest> = {}) => {
      const request = authorizationRequest(overrides)
      const { gatewayOperationId } = approved(await gateway.authorize(request, patience()))
      const followUp = (amountMinor: number, reference = makeReference()) => ({
        ...harness.access,
        reference,
        gatewayConfigurationId,
        invoiceId: request.invoiceId,
        amountMinor,
        currency: CURRENCY,
        gatewayAuthorizationId: gatewayOperationId,
      })
      return { request, invoiceId: request.invoiceId, gatewayOperationId, followUp }
    }

    describe('authorizing', () => {
      test('tells of an approval what was approved, and by which id the gateway knows it', async () => {
        const outcome = await gateway.authorize(authorizationRequest(), patience())

        expect(outcome).toMatchObject({ kind: 'approved', amountMinor: AMOUNT, currency: CURRENCY })
        expect(approved(outcome).gatewayOperationId).not.toBe('')
      })

      test('gives a decline as a value with one of our codes and their own word, and throws nothing', async () => {
        const request = authorizationRequest(harness.declinedCard)

        const outcome = await gateway.authorize(request, patience())

        expectDeclined(outcome)
        expect(await harness.countAuthorizations(request.invoiceId)).toBe(0)
      })

      test('charges once when a reference is repeated, and answers the same', async () => {
        const request = authorizationRequest()

        const first = await gateway.authorize(request, patience())
        const second = await gateway.authorize(request, patience())

        expect(second).toEqual(first)
        expect(await harness.countAuthorizations(request.invoiceId)).toBe(1)
      })

      test('charges once when fifty requests with one reference arrive together', async () => {
        const request = authorizationRequest()

        const outcomes = await Promise.all(Array.from({ length: 50 }, () => gateway.authorize(request, patience())))

        expect(await harness.countAuthorizations(request.invoiceId)).toBe(1)
        const certain = harness.repetitionsWait ? outcomes : outcomes.filter(({ kind }) => kind !== 'unknown')
        for (const outcome of certain) expect(outcome).toEqual(certain[0])
        expect(certain[0]?.kind).toBe('approved')
      })

      test('never puts the card number or the security code into an outcome', async () => {
        const outcomes = await Promise.all(
          [harness.approvedCard, harness.declinedCard].map((card) =>
            gateway.authorize(authorizationRequest(card), patience()),
          ),
        )

        for (const secret of [harness.approvedCard.card.number, harness.declinedCard.card.number]) {
          expect(JSON.stringify(outcomes)).not.toContain(secret)
        }
      })
    })

    describe('capturing', () => {
      test('takes no more than was authorized, and still takes what was authorized afterwards', async () => {
        const { invoiceId, followUp } = await authorize()

        expectDeclined(await gateway.capture({ ...followUp(AMOUNT + 1), isFinal: true }, patience()))
        expect(await harness.capturedMinor(invoiceId)).toBe(0)

        approved(await gateway.capture({ ...followUp(AMOUNT), isFinal: true }, patience()))
        expect(await harness.capturedMinor(invoiceId)).toBe(AMOUNT)
      })

      test('takes the money once when a reference is repeated', async () => {
        const { invoiceId, followUp } = await authorize()
        const request = { ...followUp(1_000), isFinal: !gateway.capabilities.multipleCaptures }

        const first = await gateway.capture(request, patience())
        const second = await gateway.capture(request, patience())

        expect(approved(first)).toMatchObject({ amountMinor: 1_000, currency: CURRENCY })
        expect(second).toEqual(first)
        expect(await harness.capturedMinor(invoiceId)).toBe(1_000)
      })

      test('takes the money once when two captures of all of it race', async () => {
        const { invoiceId, followUp } = await authorize()

        const outcomes = await Promise.all([
          gateway.capture({ ...followUp(AMOUNT), isFinal: true }, patience()),
          gateway.capture({ ...followUp(AMOUNT), isFinal: true }, patience()),
        ])

        expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['approved', 'declined'])
        expect(await harness.capturedMinor(invoiceId)).toBe(AMOUNT)
      })

      test('releases the rest with a final partial capture', async () => {
        const { invoiceId, followUp } = await authorize()

        approved(await gateway.capture({ ...followUp(1_000), isFinal: true }, patience()))

        expectDeclined(await gateway.capture({ ...followUp(AMOUNT - 1_000), isFinal: true }, patience()))
        expect(await harness.capturedMinor(invoiceId)).toBe(1_000)
      })

      test('is refused for an authorization that the gateway does not know', async () => {
        const { followUp } = await authorize()
        const request = { ...followUp(AMOUNT), gatewayAuthorizationId: 'no-such-authorization', isFinal: true }

        expectDeclined(await gateway.capture(request, patience()))
      })
    })

    describe('capturing in parts', () => {
      test('takes every part once, and releases the rest with the final one', async () => {
        const { invoiceId, followUp } = await authorize()
        if (!gateway.capabilities.multipleCaptures) return

        for (const amountMinor of [1_000, 700]) {
          const part = { ...followUp(amountMinor), isFinal: false }
          const first = await gateway.capture(part, patience())
          expect(approved(first)).toMatchObject({ amountMinor, currency: CURRENCY })
          expect(await gateway.capture(part, patience())).toEqual(first)
        }
        expectDeclined(await gateway.capture({ ...followUp(AMOUNT - 1_699), isFinal: false }, patience()))
        approved(await gateway.capture({ ...followUp(200), isFinal: true }, patience()))

        expectDeclined(await gateway.capture({ ...followUp(1), isFinal: false }, patience()))
        expect(await harness.capturedMinor(invoiceId)).toBe(1_900)
      })

      test('goes on after a part was voided', async () => {
        const { invoiceId, followUp } = await authorize()
        if (!gateway.capabilities.multipleCaptures) return

        approved(await gateway.capture({ ...followUp(1_000), isFinal: false }, patience()))
        if (!gateway.capabilities.partialVoid) return expectDeclined(await gateway.void(followUp(900), patience()))
        approved(await gateway.void(followUp(900), patience()))

        expectDeclined(await gateway.capture({ ...followUp(1_001), isFinal: false }, patience()))
        approved(await gateway.capture({ ...followUp(1_000), isFinal: false }, patience()))
        expect(await harness.capturedMinor(invoiceId)).toBe(2_000)
      })
    })

    describe('refunding', () => {
      const capture = async (amountMinor = AMOUNT) => {
        const authorization = await authorize()
        approved(await gateway.capture({ ...authorization.followUp(amountMinor), isFinal: true }, patience()))
        return authorization
      }

      test('is refused before a capture', async () => {
        const { invoiceId, followUp } = await authorize()

        expectDeclined(await gateway.refund(followUp(1), patience()))
        expect(await harness.refundedMinor(invoiceId)).toBe(0)
      })

      test('gives back no more than was captured, and still gives that back afterwards', async () => {
        const { invoiceId, followUp } = await capture(1_000)

        expectDeclined(await gateway.refund(followUp(1_001), patience()))
        expect(await harness.refundedMinor(invoiceId)).toBe(0)
        approved(await gateway.refund(followUp(1_000), patience()))
        expect(await harness.refundedMinor(invoiceId)).toBe(1_000)
      })

      test('gives back in several parts, and not a unit more', async () => {
        const { invoiceId, followUp } = await capture()

        approved(await gateway.refund(followUp(1_000), patience()))
        approved(await gateway.refund(followUp(900), patience()))
        expectDeclined(await gateway.refund(followUp(1_001), patience()))
        approved(await gateway.refund(followUp(1_000), patience()))

        expect(await harness.refundedMinor(invoiceId)).toBe(AMOUNT)
      })

      test('gives back once when a reference is repeated', async () => {
        const { invoiceId, followUp } = await capture()
        const request = followUp(1_000)

        const first = await gateway.refund(request, patience())
        const second = await gateway.refund(request, patience())

        expect(approved(first)).toMatchObject({ amountMinor: 1_000, currency: CURRENCY })
        expect(second).toEqual(first)
        expect(await harness.refundedMinor(invoiceId)).toBe(1_000)
      })

      test('gives back once when two refunds of all of it race', async () => {
        const { invoiceId, followUp } = await capture()

        const outcomes = await Promise.all([
          gateway.refund(followUp(AMOUNT), patience()),
          gateway.refund(followUp(AMOUNT), patience()),
        ])

        expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['approved', 'declined'])
        expect(await harness.refundedMinor(invoiceId)).toBe(AMOUNT)
      })

      test('is refused for an authorization that the gateway does not know, and in another currency', async () => {
        const { invoiceId, followUp } = await capture()

        expectDeclined(
          await gateway.refund({ ...followUp(1), gatewayAuthorizationId: 'no-such-authorization' }, patience()),
        )
        expectDeclined(await gateway.refund({ ...followUp(1), currency: 'USD' }, patience()))
        expect(await harness.refundedMinor(invoiceId)).toBe(0)
      })
    })

    describe('voiding', () => {
      test('is refused after all was captured', async () => {
        const { invoiceId, followUp } = await authorize()
        approved(await gateway.capture({ ...followUp(AMOUNT), isFinal: true }, patience()))

        expectDeclined(await gateway.void(followUp(AMOUNT), patience()))
        expect(await harness.capturedMinor(invoiceId)).toBe(AMOUNT)
      })

      test('leaves nothing to capture', async () => {
        const { invoiceId, followUp } = await authorize()

        approved(await gateway.void(followUp(AMOUNT), patience()))

        expectDeclined(await gateway.capture({ ...followUp(AMOUNT), isFinal: true }, patience()))
        expect(await harness.capturedMinor(invoiceId)).toBe(0)
      })

      test('of all that a capture has left leaves nothing to capture', async () => {
        const { invoiceId, followUp } = await authorize()
        if (!gateway.capabilities.multipleCaptures) return
        approved(await gateway.capture({ ...followUp(1_000), isFinal: false }, patience()))

        expect(approved(await gateway.void(followUp(1_900), patience()))).toMatchObject({ amountMinor: 1_900 })

        expectDeclined(await gateway.capture({ ...followUp(1), isFinal: true }, patience()))
        expect(await harness.capturedMinor(invoiceId)).toBe(1_000)
      })

      test('of a part leaves all to capture where the gateway cannot release parts', async () => {
        const { invoiceId, followUp } = await authorize()
        if (gateway.capabilities.partialVoid || harness.seesWhatIsLeft === false) return

        expectDeclined(await gateway.void(followUp(900), patience()))

        approved(await gateway.capture({ ...followUp(AMOUNT), isFinal: true }, patience()))
        expect(await harness.capturedMinor(invoiceId)).toBe(AMOUNT)
      })

      test('of a part leaves the rest to capture, and not a unit more', async () => {
        const { invoiceId, followUp } = await authorize()
        if (!gateway.capabilities.partialVoid) return

        approved(await gateway.void(followUp(900), patience()))

        expectDeclined(await gateway.capture({ ...followUp(2_001), isFinal: true }, patience()))
        approved(await gateway.capture({ ...followUp(2_000), isFinal: true }, patience()))
        expect(await harness.capturedMinor(invoiceId)).toBe(2_000)
      })

      test('releases once when a reference is repeated', async () => {
        const { followUp } = await authorize()
        const releasedMinor = gateway.capabilities.partialVoid ? 2_000 : AMOUNT
        const request = followUp(releasedMinor)

        const first = await gateway.void(request, patience())
        const second = await gateway.void(request, patience())

        expect(approved(first)).toMatchObject({ amountMinor: releasedMinor, currency: CURRENCY })
        expect(second).toEqual(first)
        if (gateway.capabilities.partialVoid)
          approved(await gateway.capture({ ...followUp(900), isFinal: true }, patience()))
      })
    })

    describe('incrementing', () => {
      test('adds once when a reference is repeated', async () => {
        const { invoiceId, followUp } = await authorize({ incremental: true })
        const request = { ...followUp(500), targetTotalMinor: AMOUNT + 500 }

        const first = await gateway.increment(request, patience())
        const second = await gateway.increment(request, patience())

        expect(approved(first)).toMatchObject({ amountMinor: 500, currency: CURRENCY })
        expect(second).toEqual(first)
        expectDeclined(await gateway.capture({ ...followUp(AMOUNT + 501), isFinal: true }, patience()))
        approved(await gateway.capture({ ...followUp(AMOUNT + 500), isFinal: true }, patience()))
        expect(await harness.capturedMinor(invoiceId)).toBe(AMOUNT + 500)
      })

      test('is refused after a capture', async () => {
        const { followUp } = await authorize({ incremental: true })
        approved(await gateway.capture({ ...followUp(1_000), isFinal: true }, patience()))

        expectDeclined(await gateway.increment({ ...followUp(500), targetTotalMinor: AMOUNT + 500 }, patience()))
      })
    })

    describe('looking up', () => {
      test('finds the outcome that was answered, approved or declined', async () => {
        for (const card of [harness.approvedCard, harness.declinedCard]) {
          const request = authorizationRequest(card)
          const outcome = await gateway.authorize(request, patience())

          const found = await gateway.lookUp(questionOf(request.reference), patience())

          expect(found).toEqual({ kind: 'found', outcome })
        }
      })

      test('finds the outcome of every later step that was made', async () => {
        for (const { call, question } of await moneyMovingCalls()) {
          const outcome = await call(gateway, patience())

          expect(await gateway.lookUp(question, patience())).toEqual({ kind: 'found', outcome })
          // Asking moved nothing, so that asking again finds the same.
          expect(await gateway.lookUp(question, patience())).toEqual({ kind: 'found', outcome })
        }
      })

      test('of a step that was refused finds that, or nothing, in which case the step is refused again', async () => {
        for (const { call, question } of await refusedCalls()) {
          const outcome = await call(gateway, patience())
          expectDeclined(outcome)

          const found = await gateway.lookUp(question, patience())
          expect(found).toEqual(harness.remembersRefusedSteps ? { kind: 'found', outcome } : { kind: 'never-seen' })
          if (!harness.remembersRefusedSteps) expect(await call(gateway, patience())).toEqual(outcome)
        }
      })

      test('never invents an outcome for a reference that was never sent', async () => {
        const found = await gateway.lookUp(questionOf(makeReference()), patience())

        expect(found).toMatchObject({ kind: harness.looksUp !== false ? 'never-seen' : 'unreachable' })
      })
    })

    const questionOf = (
      reference: string,
      type: GatewayOperationType = 'authorization',
      gatewayAuthorizationId: string | null = null,
    ): LookUpRequest => ({ ...harness.access, gatewayConfigurationId, reference, type, gatewayAuthorizationId })

    const questionAbout = ({ reference, gatewayAuthorizationId }: FollowUpRequest, type: GatewayOperationType) =>
      questionOf(reference, type, gatewayAuthorizationId)

    /** Every call that moves money, ready to be made on a gateway, each of which leaves room for the others. */
    const moneyMovingCalls = async (): Promise<Call[]> => {
      const { followUp } = await authorize({ incremental: true })
      const { followUp: ofVoided } = await authorize()
      const { followUp: ofCaptured } = await authorize()
      approved(await gateway.capture({ ...ofCaptured(1_000), isFinal: true }, patience()))
      const authorization = authorizationRequest()
      return [
        {
          question: questionOf(authorization.reference),
          call: (on, signal) => on.authorize(authorization, signal),
        },
        ...laterCalls({
          increment: { ...followUp(100), targetTotalMinor: AMOUNT + 100 },
          release: gateway.capabilities.partialVoid ? followUp(100) : ofVoided(AMOUNT),
          capture: { ...followUp(100), isFinal: !gateway.capabilities.multipleCaptures },
          refund: ofCaptured(100),
        }),
      ]
    }

    /** Every later step with an amount that no gateway allows. */
    const refusedCalls = async (): Promise<Call[]> => {
      const { followUp } = await authorize()
      const tooMuch = () => followUp(AMOUNT + 1)
      return laterCalls({
        increment: { ...tooMuch(), targetTotalMinor: AMOUNT + 1 },
        release: tooMuch(),
        capture: { ...tooMuch(), isFinal: !gateway.capabilities.multipleCaptures },
        refund: tooMuch(),
      }).filter(({ question }) => question.type !== 'void' || harness.seesWhatIsLeft !== false)
    }

    /** An increment, a void, a capture and a refund, in an order in which none stands in the way of the next. */
    const laterCalls = (of: {
      increment: IncrementRequest
      release: FollowUpRequest
      capture: CaptureRequest
      refund: FollowUpRequest
    }): Call[] => [
      {
        question: questionAbout(of.increment, 'increment_authorization'),
        call: (on, signal) => on.increment(of.increment, signal),
      },
      { question: questionAbout(of.release, 'void'), call: (on, signal) => on.void(of.release, signal) },
      { question: questionAbout(of.capture, 'capture'), call: (on, signal) => on.capture(of.capture, signal) },
      { question: questionAbout(of.refund, 'refund'), call: (on, signal) => on.refund(of.refund, signal) },
    ]

    describe('when no certain answer comes', () => {
      test('a call whose wait has ended is unknown, never a success', async () => {
        for (const { call } of await moneyMovingCalls()) {
          expect((await call(gateway, AbortSignal.abort())).kind).toBe('unknown')
        }
      })

      test('a call whose wait ends while the gateway works is unknown, and a look-up tells what happened', async () => {
        for (const { call, question } of await moneyMovingCalls()) {
          const waiting = new AbortController()
          const outcome = call(gateway, waiting.signal)
          waiting.abort()

          expect((await outcome).kind).toBe('unknown')
          const found = await gateway.lookUp(question, patience())
          expect(['found', harness.looksUp !== false ? 'never-seen' : 'unreachable']).toContain(found.kind)
        }
      })

      test('a lost answer is unknown, and a look-up finds the approval', async () => {
        for (const { call, question } of await moneyMovingCalls()) {
          expect((await call(harness.losingAnswers, patience())).kind).toBe('unknown')

          const found = await gateway.lookUp(question, patience())
          expect(found).toMatchObject({ kind: 'found', outcome: { kind: 'approved' } })
        }
      })

      test('a call that certainly did not arrive says so, and nothing was done', async () => {
        const { unreachable } = harness
        if (unreachable === undefined) return
        for (const { call, question } of await moneyMovingCalls()) {
          expect(await call(unreachable, patience())).toMatchObject({ kind: 'declined', isNotSent: true })
          expect(await gateway.lookUp(question, patience())).toEqual({ kind: 'never-seen' })
          expect((await unreachable.lookUp(question, patience())).kind).toBe('unreachable')
        }
      })

      test('an answer that nobody has heard of is unknown', async () => {
        for (const { call } of await moneyMovingCalls()) {
          expect((await call(harness.inventingAnswers, patience())).kind).toBe('unknown')
        }
      })

      test('a look-up that is answered with something unheard of, lost, or not waited for finds nothing', async () => {
        if (harness.looksUp === false) return
        const { request } = await authorize()
        const question = questionOf(request.reference)

        expect((await harness.inventingAnswers.lookUp(question, patience())).kind).toBe('unreachable')
        expect((await harness.losingAnswers.lookUp(question, patience())).kind).toBe('unreachable')
        expect((await gateway.lookUp(question, AbortSignal.abort())).kind).toBe('unreachable')
      })
    })
  })
}

interface Call {
  question: LookUpRequest
  call(on: Gateway, signal: AbortSignal): Promise<Outcome>
}

function approved(outcome: Outcome): Approval {
  if (outcome.kind !== 'approved') throw new Error(`Expected an approval, got ${JSON.stringify(outcome)}.`)
  return outcome
}

/** A decline carries one of our codes, of those that tell a merchant of a failed payment, and the gateway's word. */
function expectDeclined(outcome: Outcome): void {
  expect(outcome).toMatchObject({ kind: 'declined', gatewayCode: expect.stringMatching(/./) })
  const code = outcome.kind === 'declined' ? outcome.code : ''
  expect(isErrorCode(code) ? ERRORS[code].status : `${code} is not in the list`).toBe(410)
}
