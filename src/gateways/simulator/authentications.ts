import {
  type AuthenticationResult,
  type DeviceChannel,
  type ExternalAuthentication,
  shiftsLiability,
} from '../../../domain/authentication.ts'
import type { CustomerActionType, DeviceData } from '../../../domain/customer-action.ts'
import type { ErrorCode } from '../../../domain/errors.ts'
import type { Decline } from '../../../domain/operation.ts'
import type { AuthorizeRequest, ContinueRequest } from '../gateway.ts'
import { type AuthenticationScript, decline, type Scenario } from './scenarios.ts'

/** The versions of 3-D Secure that the simulated directory server speaks. */
export const VERSION_1 = '1.0.2'
const VERSION_2 = '2.2.0'

/** How one payment is authenticated, decided when it is authorized. */
export interface AuthenticationPlan extends Omit<AuthenticationScript, 'when' | 'version'> {
  version: typeof VERSION_1 | typeof VERSION_2
  /** The merchant demands an authentication. */
  isRequired: boolean
  channel: DeviceChannel
  scheme: string | null
  /** Null for version 1, which has neither. */
  dsTransId: string | null
  serverTransId: string | null
}

/** What the merchant's request and the card's issuer come to. */
export type Planned =
  | { kind: 'none' }
  | { kind: 'planned'; plan: AuthenticationPlan; returnUrl: string }
  /** The merchant has authenticated the customer elsewhere. */
  | { kind: 'made elsewhere'; authentication: AuthenticationResult }
  | { kind: 'declined'; code: ErrorCode }

/** The end of an authentication: the payment goes on, or is declined. */
export type Ended =
  | { kind: 'authenticated'; authentication: AuthenticationResult }
  | { kind: 'declined'; decline: Decline }

/** What follows from all that the issuer has heard so far. */
type Next = Ended | { kind: 'step'; type: CustomerActionType }

/** A step of the customer, as far as the bank knows. */
export interface CustomerStep {
  /** The continuation of the action, and the address of its page. Nobody can guess it. */
  id: string
  reference: string
  type: CustomerActionType
  /** The id of this conversation at the simulated access control server, a UUID. */
  acsTransId: string
  expiresAt: Date
  wrongCodes: number
  /** What happened on the bank's page; null before, and for a native library, which has none. */
  answer: 'completed' | 'passed' | 'failed' | 'canceled' | null
}

/** The form of the ids of steps, so that nothing else gets into a query. */
export const STEP_ID = /^sim_step_[0-9A-Za-z]{32}$/

/** What the issuer has learned of the customer's device. */
export interface Learned {
  /** Null as long as there was no fingerprint page. */
  fingerprintCompleted: boolean | null
  /** The public key of a native library; null without one. */
  deviceKey: DeviceData['sdkEphemPubKey'] | null
}

export const NOTHING_LEARNED: Learned = { fingerprintCompleted: null, deviceKey: null }

interface UnderWay {
  plan: AuthenticationPlan
  learned: Learned
}

/**
 * Decides whether a payment is authenticated, and how.
 *
 * @param makeId makes a UUID
 */
export function planAuthentication(request: AuthorizeRequest, scenario: Scenario, makeId: () => string): Planned {
  const { authentication: wanted, isMerchantInitiated, scheme } = request
  const { external, exemption, channel, returnUrl } = wanted
  if (external !== null) return { kind: 'made elsewhere', authentication: resultOfExternal(external) }
  // Nobody is there to authenticate a payment that the merchant initiates, so rules cannot demand it.
  const isRequired = wanted.isRequired && !isMerchantInitiated
  const wantsChallenge = exemption === null && wanted.challengeIndicator?.startsWith('challenge-requested') === true
  const asWanted: AuthenticationScript = { when: 'if-wanted', ares: wantsChallenge ? 'C' : 'Y' }
  const script = scenario.authentication ?? asWanted
  if (script === 'unsupported')
    return isRequired ? { kind: 'declined', code: 'card.unsupported-3ds' } : { kind: 'none' }
  const { when, version, ...rest } = script
  const isDemanded = when === 'demanded' || (when === 'demanded-of-customers' && !isMerchantInitiated)
  if (isMerchantInitiated || !wanted.isPossible || returnUrl === null)
    return isDemanded || isRequired ? { kind: 'declined', code: 'card.needs-authentication' } : { kind: 'none' }
  if (!isDemanded && !isRequired && !wantsChallenge && when !== 'always') return { kind: 'none' }
  const isVersion1 = version === 1
  const isSpared = exemption !== null && when === 'if-wanted' && !isVersion1
  const plan: AuthenticationPlan = {
    ...rest,
    ares: isSpared && script.ares === 'C' ? 'Y' : script.ares,
    version: isVersion1 ? VERSION_1 : VERSION_2,
    isRequired,
    channel,
    scheme,
    dsTransId: isVersion1 ? null : makeId(),
    serverTransId: isVersion1 ? null : makeId(),
  }
  return { kind: 'planned', plan, returnUrl }
}

/** How an authentication begins. A native library always sends the data of its device first. */
export function begin(plan: AuthenticationPlan): Next {
  if (plan.version === VERSION_1) return challenge(plan)
  if (isNative(plan)) return { kind: 'step', type: 'fingerprint-mobile' }
  if (plan.fingerprint !== undefined) return { kind: 'step', type: 'fingerprint' }
  return askIssuer({ plan, learned: NOTHING_LEARNED })
}

/** What the issuer learns from an answer. A fingerprint page that nobody has opened was not completed. */
export function learn(learned: Learned, step: CustomerStep, answer: ContinueRequest['answer']): Learned {
  if (step.type === 'fingerprint')
    return { ...learned, fingerprintCompleted: step.answer === 'completed' && answer.kind === 'returned' }
  return answer.kind === 'device data' ? { ...learned, deviceKey: answer.data.sdkEphemPubKey } : learned
}

/**
 * What follows from the customer's answer to a step, of which the issuer has learned already. `unanswered`: the browser
 * is back, but its customer has not acted, and still can.
 */
export function goOn(
  underWay: UnderWay,
  step: CustomerStep,
  answer: ContinueRequest['answer'],
  now: Date,
): Next | { kind: 'unanswered' } {
  const ares = step.type.startsWith('fingerprint') ? null : 'C'
  // What the customer did on a page in time counts whenever the browser is back.
  if (step.answer === null && now >= step.expiresAt)
    return failed(underWay, 'card.expired-3ds', { status: 'failed', ares })
  switch (step.type) {
    case 'fingerprint':
      if (answer.kind === 'returned' || answer.kind === 'fingerprint timed out') return askIssuer(underWay)
      break
    case 'fingerprint-mobile':
      if (answer.kind === 'device data' && isComplete(answer.data)) return askIssuer(underWay)
      break
    case 'redirect':
    case 'url':
      // The result that the browser brings along proves nothing: what counts is what the customer did at the bank.
      if (answer.kind === 'returned')
        return step.answer === null ? { kind: 'unanswered' } : afterChallenge(underWay, step.answer)
      break
    case 'challenge-mobile':
      if (answer.kind === 'challenge result') {
        const isPassed = answer.transStatus === 'Y' && underWay.plan.challenge !== 'fails'
        return afterChallenge(underWay, isPassed ? 'passed' : 'failed')
      }
  }
  // The customer's program has answered something else than it was asked for, or not all of it.
  return failed(underWay, 'card.failed-3ds-technical', { status: 'unavailable', ares })
}

/** The issuer's first answer. Without a fingerprint that it has asked for, it demands a challenge. */
function askIssuer(underWay: UnderWay): Next {
  const { plan, learned } = underWay
  const isUnknown = learned.fingerprintCompleted === false || (isNative(plan) && plan.fingerprint === 'never-returns')
  const ares = isUnknown ? 'C' : plan.ares
  switch (ares) {
    case 'C':
      return challenge(plan)
    case 'Y':
      return authenticated(underWay, { status: 'authenticated', ares })
    case 'A':
      return authenticated(underWay, { status: 'attempted', ares })
    case 'U':
      return plan.isRequired
        ? failed(underWay, 'card.failed-3ds-technical', { status: 'unavailable', ares })
        : authenticated(underWay, { status: 'unavailable', ares })
    case 'N':
      return failed(underWay, 'card.failed-3ds', { status: 'failed', ares })
    case 'R':
      return failed(underWay, 'card.failed-3ds', { status: 'rejected', ares })
  }
}

function challenge(plan: AuthenticationPlan): Next {
  const isOfBrowsers = plan.version === VERSION_1 || plan.isFullPage === true
  if (isOfBrowsers) return { kind: 'step', type: 'url' }
  return { kind: 'step', type: isNative(plan) ? 'challenge-mobile' : 'redirect' }
}

function afterChallenge(underWay: UnderWay, answer: NonNullable<CustomerStep['answer']>): Next {
  if (answer !== 'passed') {
    const end = { status: 'failed', ares: 'C', cres: 'N' } as const
    if (answer === 'canceled') return failed(underWay, 'customer.cancelled', end, 'CHALLENGE_CANCELED')
    return failed(underWay, 'card.failed-3ds', end)
  }
  if (underWay.plan.challenge === 'endless') return challenge(underWay.plan)
  return authenticated(underWay, { status: 'authenticated', ares: 'C', cres: 'Y' })
}

/** How an authentication has ended. */
interface End {
  status: AuthenticationResult['status']
  /** Null if the issuer was not asked. */
  ares: AuthenticationResult['aresTransStatus']
  cres?: 'Y' | 'N'
}

function authenticated(underWay: UnderWay, end: End): Ended {
  return { kind: 'authenticated', authentication: resultOf(underWay, end) }
}

function failed(underWay: UnderWay, code: ErrorCode, end: End, gatewayCode?: string): Ended {
  const authentication = resultOf(underWay, end)
  const { kind: _, ...declined } = decline(code, { authentication, ...(gatewayCode !== undefined && { gatewayCode }) })
  return { kind: 'declined', decline: declined }
}

function resultOf({ plan, learned }: UnderWay, { status, ares, cres }: End): AuthenticationResult {
  const { version, scheme, dsTransId, serverTransId } = plan
  return {
    version,
    status,
    aresTransStatus: version === VERSION_1 ? null : ares,
    cresTransStatus: cres ?? null,
    eci: (scheme === 'mastercard' ? ECI_OF_MASTERCARD : ECI)[status],
    dsTransId,
    serverTransId,
    fingerprintCompleted: learned.fingerprintCompleted,
    wasChallenged: ares === 'C',
    hasLiabilityShift: shiftsLiability(status),
  }
}

/** Taken over as the merchant gives it. Its proof is not checked: there is no issuer who has made it. */
function resultOfExternal(external: ExternalAuthentication): AuthenticationResult {
  const { version, transStatus, eci, dsTransId, wasChallenged } = external
  const status = transStatus === 'Y' ? 'authenticated' : 'attempted'
  return {
    version,
    status,
    aresTransStatus: version.startsWith('1.') ? null : wasChallenged ? 'C' : transStatus,
    cresTransStatus: wasChallenged ? transStatus : null,
    eci,
    dsTransId,
    serverTransId: null,
    fingerprintCompleted: null,
    wasChallenged,
    hasLiabilityShift: shiftsLiability(status),
  }
}

type EciByStatus = Readonly<Record<AuthenticationResult['status'], string>>

/** The electronic commerce indicators. Source: the schemes' tables of 3-D Secure. */
const ECI: EciByStatus = { authenticated: '05', attempted: '06', failed: '07', rejected: '07', unavailable: '07' }
const ECI_OF_MASTERCARD: EciByStatus = {
  authenticated: '02',
  attempted: '01',
  failed: '00',
  rejected: '00',
  unavailable: '00',
}

function isNative({ channel, isFullPage }: AuthenticationPlan): boolean {
  return channel !== 'web' && isFullPage !== true
}

/** Whether a native library has sent everything that the issuer needs. */
function isComplete(data: DeviceData): boolean {
  const { sdkAppID, sdkReferenceNumber, sdkTransID, sdkEncData, sdkEphemPubKey } = data
  const key = KEY_PARTS.map((name) => sdkEphemPubKey[name])
  return [sdkAppID, sdkReferenceNumber, sdkTransID, sdkEncData, ...key].every(
    (text) => typeof text === 'string' && text !== '',
  )
}

/** The parts of a public key on an elliptic curve. Source: RFC 7517 and RFC 7518, section 6.2.1. */
const KEY_PARTS = ['crv', 'kty', 'x', 'y'] as const
