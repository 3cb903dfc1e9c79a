import type { AuthenticationRequest } from '../../../domain/authentication.ts'
import type { BankPage, RequestedAction } from '../../../domain/customer-action.ts'
import { isBankAddress } from '../customer-authentication.ts'
import { type Continuation, writeContinuation } from './continuation.ts'
import { decodeMessage, encodeForIssuer, idOf } from './messages.ts'
import { type Fields, fieldsOf, textOf } from './outcomes.ts'

/** What follows from an action in an answer. */
export type NextStep =
  | { kind: 'ask the customer'; action: RequestedAction }
  /** The issuer has no fingerprint page. Adyen is told so without the customer. */
  | { kind: 'skip the fingerprint'; continuation: Continuation }
  /** Nobody can act. */
  | { kind: 'unattended' }
  /** The action cannot be handed on, so that Adyen never authorizes the payment. `reason`: a word for support. */
  | { kind: 'unusable'; reason: string }

/** The whole window of the customer's browser. */
const CHALLENGE_WINDOW_SIZE = '05'

/** All fields of a form together, in characters. */
const FORM_LENGTH_MAX = 32 * 1024

const VERSION_2 = /^2\.\d{1,2}\.\d{1,2}$/

const NOTHING: Omit<Continuation, 'step' | 'reference'> = {
  paymentData: null,
  authorisationToken: null,
  threeDSServerTransID: null,
  acsTransID: null,
  messageVersion: null,
  threeDSCompInd: null,
}

/** The authorization that an action belongs to. */
export interface Authorization {
  reference: string
  authentication: Pick<AuthenticationRequest, 'isPossible' | 'returnUrl'>
}

/**
 * Adyen's action as ours: a page of Adyen or the issuer to redirect to, or a fingerprint or challenge of 3-D Secure 2.
 *
 * @param known what earlier actions of the same payment have told; null before the first
 */
export function nextStepOf(
  action: Fields,
  known: Continuation | null,
  { reference, authentication: { isPossible, returnUrl } }: Authorization,
): NextStep {
  if (!isPossible || returnUrl === null) return { kind: 'unattended' }
  const paymentData = textOf(action.paymentData)
  const authorisationToken = textOf(action.authorisationToken)
  const before = { ...NOTHING, ...known, reference, paymentData, authorisationToken }
  if (action.type === 'redirect') return redirect(action, { ...before, step: 'redirect' })
  if (action.type !== 'threeDS2') return unusable('action-type')
  const token = decodeMessage(action.token)
  if (token === null) return unusable('token')
  switch (action.subtype) {
    case 'fingerprint':
      return fingerprint(token, { ...before, step: 'fingerprint' }, returnUrl)
    case 'challenge':
      return challenge(token, { ...before, step: 'challenge' })
    default:
      return unusable('action-subtype')
  }
}

/**
 * Adyen's redirect pages, and issuers behind them, may refuse frames: Adyen's own component leaves the frame for them.
 */
function redirect({ url, method = 'GET', data }: Fields, continuation: Continuation): NextStep {
  if (!isBankAddress(url)) return unusable('address')
  if (method === 'GET') return ask({ type: 'url', page: { url, fields: null }, isFullPage: true }, continuation)
  const fields = method === 'POST' ? formFieldsOf(data) : null
  return fields === null
    ? unusable('form')
    : ask({ type: 'url', page: { url, fields }, isFullPage: true }, continuation)
}

function formFieldsOf(data: unknown): BankPage['fields'] {
  const entries = Object.entries(fieldsOf(data))
  const isForm = entries.length > 0 && entries.every(([name, value]) => name !== '' && typeof value === 'string')
  return isForm && JSON.stringify(entries).length <= FORM_LENGTH_MAX
    ? (Object.fromEntries(entries) as Record<string, string>)
    : null
}

/** Adyen's documentation and its test host write the name of the address differently. */
function fingerprint(token: Fields, continuation: Continuation, returnUrl: string): NextStep {
  const threeDSServerTransID = idOf(token.threeDSServerTransID)
  if (threeDSServerTransID === null || continuation.paymentData === null) return unusable('token')
  const known = { ...continuation, threeDSServerTransID }
  const url = token.threeDSMethodURL ?? token.threeDSMethodUrl ?? ''
  if (url === '') return { kind: 'skip the fingerprint', continuation: { ...known, threeDSCompInd: 'U' } }
  if (!isBankAddress(url)) return unusable('address')
  const threeDSMethodData = encodeForIssuer({ threeDSServerTransID, threeDSMethodNotificationURL: returnUrl })
  return ask({ type: 'fingerprint', page: { url, fields: { threeDSMethodData } } }, known)
}

function challenge(token: Fields, continuation: Continuation): NextStep {
  const threeDSServerTransID = idOf(token.threeDSServerTransID)
  const acsTransID = idOf(token.acsTransID)
  const messageVersion = textOf(token.messageVersion)
  const isComplete = threeDSServerTransID !== null && acsTransID !== null && VERSION_2.test(messageVersion ?? '')
  const { paymentData, authorisationToken } = continuation
  if (!isComplete || (paymentData === null && authorisationToken === null)) return unusable('token')
  if (!isBankAddress(token.acsURL)) return unusable('address')
  const challengeWindowSize = CHALLENGE_WINDOW_SIZE
  const ids = { threeDSServerTransID, acsTransID, messageVersion }
  const creq = encodeForIssuer({ ...ids, messageType: 'CReq', challengeWindowSize })
  return ask({ type: 'redirect', page: { url: token.acsURL, fields: { creq } } }, { ...continuation, ...ids })
}

type PageAction =
  | { type: 'fingerprint' | 'redirect'; page: BankPage }
  | { type: 'url'; page: BankPage; isFullPage: boolean }

function ask(action: PageAction, continuation: Continuation): NextStep {
  const text = writeContinuation(continuation)
  return text === null ? unusable('too-long') : { kind: 'ask the customer', action: { ...action, continuation: text } }
}

function unusable(reason: string): NextStep {
  return { kind: 'unusable', reason }
}
