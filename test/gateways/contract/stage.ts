import { setTimeout as sleep } from 'node:timers/promises'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import type { GatewayOperationType, LookUp, Outcome } from '../../../domain/operation.ts'
import type {
  AuthorizeRequest,
  CaptureRequest,
  FollowUpRequest,
  Gateway,
  IncrementRequest,
  LookUpRequest,
} from '../../../src/gateways/gateway.ts'
import { seededRandomBytes } from '../../support/random.ts'
import { PLAIN_PAYMENT } from '../contract-authentication.ts'
import type { GatewayHarness, Trouble } from './harness.ts'
import { observe } from './observe.ts'
import { approved } from './outcomes.ts'

export const CURRENCY = 'EUR'
export const AMOUNT = 2_900

/** Long enough for any answer; a test that needs it to pass has failed. */
const PATIENCE_MS = 20_000
/** Between two look-ups that wait for a gateway to find what it has done. */
const LOOK_UP_PAUSE_MS = 500

export const patience = () => AbortSignal.timeout(PATIENCE_MS)

/** A call that moves money, ready to be made on a gateway, and the question about it. */
export interface Call {
  question: LookUpRequest
  call(on: Gateway, signal: AbortSignal): Promise<Outcome>
}

/**
 * What the tests of the contract act on: requests that a harness's gateway can do, with references of their own.
 *
 * @param seed makes the references; a host that remembers earlier runs wants another one each time
 */
export function createStage(seed: string, makeHarness: () => Promise<GatewayHarness>) {
  const randomBytes = seededRandomBytes(seed)
  const makeReference = () => makeIdentifier('operation', randomBytes)
  const gatewayConfigurationId = makeIdentifier('gatewayConfiguration', randomBytes)
  /** Everything that the adapter has said. */
  const heard: string[] = []
  let opened: { harness: GatewayHarness; gateway: Gateway } | null = null

  const opening = () => {
    if (opened === null) throw new Error('The harness was not opened; its own error is above.')
    return opened
  }

  const authorizationRequest = (overrides: Partial<AuthorizeRequest> = {}): AuthorizeRequest => {
    const { access, approvedCard } = opening().harness
    const { card, scheme } = approvedCard
    return {
      ...PLAIN_PAYMENT,
      ...access,
      card,
      scheme,
      reference: makeReference(),
      gatewayConfigurationId,
      invoiceId: makeIdentifier('invoice', randomBytes),
      ...overrides,
    }
  }

  const requestWith = (
    { card, scheme, settings }: GatewayHarness['approvedCard'],
    overrides: Partial<AuthorizeRequest> = {},
  ) =>
    authorizationRequest({
      card,
      scheme,
      settings: { ...opening().harness.access.settings, ...settings },
      ...overrides,
    })

  const questionOf = (
    reference: string,
    type: GatewayOperationType = 'authorization',
    gatewayAuthorizationId: string | null = null,
  ): LookUpRequest => ({
    ...opening().harness.access,
    gatewayConfigurationId,
    reference,
    type,
    gatewayAuthorizationId,
  })

  const questionAbout = ({ reference, gatewayAuthorizationId }: FollowUpRequest, type: GatewayOperationType) =>
    questionOf(reference, type, gatewayAuthorizationId)

  /** Requests for later steps on an authorization. */
  const followUpOf =
    ({ invoiceId }: AuthorizeRequest, gatewayAuthorizationId: string) =>
    (amountMinor: number): FollowUpRequest => ({
      ...opening().harness.access,
      reference: makeReference(),
      gatewayConfigurationId,
      invoiceId,
      amountMinor,
      currency: CURRENCY,
      gatewayAuthorizationId,
    })

  /** An approved authorization, and requests for later steps on it. */
  const authorize = async (overrides: Partial<AuthorizeRequest> = {}) => {
    const request = authorizationRequest(overrides)
    const { gatewayOperationId } = approved(await opening().gateway.authorize(request, patience()))
    return { request, invoiceId: request.invoiceId, followUp: followUpOf(request, gatewayOperationId) }
  }

  /** An authorization that was captured, for refunds. */
  const capture = async (amountMinor = AMOUNT) => {
    const authorization = await authorize()
    const request = { ...authorization.followUp(amountMinor), isFinal: true }
    approved(await opening().gateway.capture(request, patience()))
    return authorization
  }

  /** An increment, a void, a capture and a refund, in an order in which none stands in the way of the next. */
  const laterCalls = (of: {
    increment: IncrementRequest
    release: FollowUpRequest
    capture: CaptureRequest
    refund: FollowUpRequest
  }): Call[] => {
    const { incrementalAuthorization, refund } = opening().gateway.capabilities
    const increments: Call[] = [
      {
        question: questionAbout(of.increment, 'increment_authorization'),
        call: (on, signal) => on.increment(of.increment, signal),
      },
    ]
    const refunds: Call[] = [
      { question: questionAbout(of.refund, 'refund'), call: (on, signal) => on.refund(of.refund, signal) },
    ]
    return [
      ...(incrementalAuthorization ? increments : []),
      { question: questionAbout(of.release, 'void'), call: (on, signal) => on.void(of.release, signal) },
      { question: questionAbout(of.capture, 'capture'), call: (on, signal) => on.capture(of.capture, signal) },
      ...(refund ? refunds : []),
    ]
  }

  /** Every call that moves money and that the gateway can do, each of which leaves room for the others. */
  const moneyMovingCalls = async (): Promise<Call[]> => {
    const { gateway, harness } = opening()
    const authorization = authorizationRequest()
    const first: Call = {
      question: questionOf(authorization.reference),
      call: (on, signal) => on.authorize(authorization, signal),
    }
    if (harness.onlyNotesLaterSteps === true) return [first]
    const { partialVoid, multipleCaptures, partialCapture, partialRefund } = gateway.capabilities
    const { followUp } = await authorize()
    const { followUp: ofVoided } = await authorize()
    const { followUp: ofCaptured } = await capture()
    const { followUp: ofRaised } = await authorize({ incremental: true })
    const later = laterCalls({
      increment: { ...ofRaised(100), targetTotalMinor: AMOUNT + 100 },
      release: partialVoid ? followUp(100) : ofVoided(AMOUNT),
      capture: { ...followUp(partialCapture ? 100 : AMOUNT), isFinal: !multipleCaptures },
      refund: ofCaptured(partialRefund ? 100 : AMOUNT),
    })
    return [first, ...later]
  }

  let repeated: Call[] | null = null

  /**
   * The same as before, made again, where what is asked is only what an answer does to the adapter: the gateway answers a
   * repeated reference like the first.
   */
  const repeatedCalls = async (): Promise<Call[]> => {
    if (repeated === null || opening().gateway.referencesKeptForMs === 0) repeated = await moneyMovingCalls()
    return repeated
  }

  /** Every later step with an amount that no gateway allows. */
  const refusedCalls = async (): Promise<Call[]> => {
    const { gateway, harness } = opening()
    const { followUp } = await authorize()
    const tooMuch = () => followUp(AMOUNT + 1)
    return laterCalls({
      increment: { ...tooMuch(), targetTotalMinor: AMOUNT + 1 },
      release: tooMuch(),
      capture: { ...tooMuch(), isFinal: !gateway.capabilities.multipleCaptures },
      refund: tooMuch(),
    }).filter(({ question }) => question.type !== 'void' || harness.seesWhatIsLeft !== false)
  }

  return {
    heard,
    async open() {
      const harness = await makeHarness()
      opened = { harness, gateway: observe(harness.gateway, heard) }
    },
    close: async () => opened?.harness.close(),
    get harness() {
      return opening().harness
    },
    get gateway() {
      return opening().gateway
    },
    get uninformed() {
      const { harness, gateway } = opening()
      return harness.uninformed === undefined ? gateway : observe(harness.uninformed, heard)
    },
    /** The gateway over a line with this trouble; null where there is no line that could have it. */
    async over(trouble: Trouble): Promise<Gateway | null> {
      const troubled = await opening().harness.over(trouble)
      return troubled === null ? null : observe(troubled, heard)
    },
    makeReference,
    authorizationRequest,
    requestWith,
    questionOf,
    questionAbout,
    followUpOf,
    authorize,
    capture,
    moneyMovingCalls,
    repeatedCalls,
    refusedCalls,
    /** What a look-up finds, as soon as the gateway shows what it has done. */
    async lookUp(question: LookUpRequest): Promise<LookUp> {
      const { gateway, harness } = opening()
      const endsAt = Date.now() + (harness.lookUpPatienceMs ?? 0)
      for (;;) {
        const found = await gateway.lookUp(question, patience())
        if (found.kind === 'found' || Date.now() >= endsAt) return found
        await sleep(LOOK_UP_PAUSE_MS)
      }
    },
  }
}

export type Stage = ReturnType<typeof createStage>
