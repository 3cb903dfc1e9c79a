import type { Visit, WayBack } from '../engine/model.ts'

export type Fields = Record<string, unknown>
export type Answer = [status: number, body: Fields]

/**
 * The issuer behind the stand-in, and Adyen's part of 3-D Secure: it keeps what the customer has done on the issuer's
 * pages, and decides by that alone, whatever the merchant says about it.
 */

const CHECKOUT = 'https://checkoutshopper-test.adyen.com/checkoutshopper/threeDS'
const ISSUER = 'https://issuer.example'

/** What a holder's name asks for. `redirect`: also where native authentication was preferred. */
const FLOWS: Readonly<Record<string, Flow>> = {
  REDIRECT: 'redirect',
  REDIRECT_POST: 'form',
  NATIVE: 'fingerprint',
  NATIVE_FRICTIONLESS: 'frictionless',
  NATIVE_CHALLENGE: 'challenge',
  NATIVE_WITHOUT_METHOD: 'no method',
  NATIVE_CIRCLES: 'circles',
}
type Flow = 'redirect' | 'form' | 'fingerprint' | 'frictionless' | 'challenge' | 'no method' | 'circles'

interface Session {
  id: string
  flow: Flow
  /** The body of the payment that waits. */
  payment: Fields
  step: 'redirect' | 'fingerprint' | 'challenge' | 'ended'
  /** The issuer's word about the customer; null before the customer has come to it. */
  hasPassed: boolean | null
  compInd: string | null
}

/** How an authentication has ended: passed, failed, or never needed. */
export interface Verdict {
  payment: Fields
  hasPassed: boolean
  additionalData: Fields
}

export function openIssuer() {
  const sessions = new Map<string, Session>()

  /** The first answer to a payment whose holder has to act; null for any other. */
  function ask(payment: Fields): Answer | null {
    const { holderName } = payment.paymentMethod as Record<string, string>
    const wanted = (payment.authenticationData ?? {}) as Fields
    const flow = FLOWS[holderName ?? ''] ?? (wanted.attemptAuthentication === 'always' ? 'redirect' : undefined)
    if (flow === undefined || payment.mpiData !== undefined || payment.shopperInteraction === 'ContAuth') return null
    if (wanted.attemptAuthentication === 'never') return refused(payment, '38', 'Authentication required')
    const isNative = (wanted.threeDSRequestData as Fields | undefined)?.nativeThreeDS === 'preferred'
    const id = `session-${sessions.size + 1}`
    const chosen = isNative ? flow : asPage(flow)
    const session: Session = { id, flow: chosen, payment, step: 'redirect', hasPassed: null, compInd: null }
    sessions.set(id, session)
    return actionOf(session)
  }

  /** The answer to what the merchant has brought from the browser, or the end of the authentication. */
  function goOn(body: Fields): Answer | Verdict {
    const details = body.details as Record<string, string>
    const session = sessions.get(sessionIdOf(details, body.paymentData as string | undefined) ?? '')
    if (session === undefined || session.step === 'ended') return validation('Invalid payment data')
    if (details['threeds2.fingerprint'] !== undefined && session.step === 'fingerprint') {
      session.compInd = String(decode(details['threeds2.fingerprint']).threeDSCompInd)
      if (session.flow === 'frictionless') return end({ ...session, hasPassed: true }, 'Y', 'Y')
      if (session.flow === 'circles') return fingerprintOf(session)
      return challengeOf(session)
    }
    return end(session, 'C', session.hasPassed === true ? 'Y' : 'N')
  }

  function end(session: Session, first: string, last: string): Verdict {
    const kept = sessions.get(session.id)
    if (kept !== undefined) kept.step = 'ended'
    const hasPassed = session.hasPassed === true
    const additionalData = {
      threeDOffered: 'true',
      threeDOfferedResponse: first,
      threeDAuthenticated: String(hasPassed),
      threeDAuthenticatedResponse: last,
      threeDSVersion: '2.2.0',
      eci: hasPassed ? '05' : 'N/A',
      dsTransID: 'a3b86754-444d-46ca-95a2-ada351d3f42c',
      liabilityShift: String(hasPassed),
    }
    return { payment: session.payment, hasPassed, additionalData }
  }

  /** The customer takes an action, whose page and form are as the browser got them; these come back. */
  function visit(url: string, form: Form | null, passes: boolean): Record<string, string> {
    const session = sessions.get(idOnPage(url, form) ?? '')
    if (session === undefined) throw new Error(`The issuer does not know ${url}.`)
    return take(session, form, passes)
  }

  function take(session: Session, form: Form | null, passes: boolean): Record<string, string> {
    if (form?.threeDSMethodData !== undefined)
      return { threeDSMethodData: encodeUrl({ threeDSServerTransID: serverIdOf(session) }) }
    session.hasPassed = passes
    if (form === null) return { redirectResult: `result-of-${session.id}` }
    if (form.creq === undefined) return { MD: session.id, PaRes: `pares-of-${session.id}` }
    const { threeDSServerTransID, acsTransID, messageVersion } = decode(form.creq)
    const ids = { threeDSServerTransID, acsTransID, messageVersion }
    return { cres: encodeUrl({ ...ids, messageType: 'CRes', transStatus: passes ? 'Y' : 'N' }) }
  }

  return {
    ask,
    goOn,
    visit,
    /** Null where no customer has anything to do. @param name the reference, or the last part of the page's address */
    visitOf(name: string, { passes, form }: Visit): WayBack | null {
      const session = [...sessions.values()].findLast(
        ({ id, payment, step }) => (payment.reference === name || id === name) && step !== 'ended',
      )
      if (session === undefined) return null
      const parameters = take(session, form, passes)
      const address = new URL(String(session.payment.returnUrl))
      for (const [parameter, value] of Object.entries(parameters)) address.searchParams.set(parameter, value)
      return { return_url: address.href, parameters }
    },
    /** Whether the fingerprint page was loaded, by what Adyen was told; null if it was told nothing. */
    completionOf: (reference: string) =>
      [...sessions.values()].find(({ payment }) => payment.reference === reference)?.compInd ?? null,
  }
}

function asPage(flow: Flow): Flow {
  return flow === 'form' ? 'form' : 'redirect'
}

function actionOf(session: Session): Answer {
  switch (session.flow) {
    case 'redirect':
      return redirectOf(session, { method: 'GET', url: `${CHECKOUT}/redirect/${session.id}` })
    case 'form': {
      const data = { MD: session.id, PaReq: 'BQABAgCzWWE', TermUrl: String(session.payment.returnUrl) }
      return redirectOf(session, { method: 'POST', url: `${CHECKOUT}/checkoutRedirect`, data })
    }
    case 'challenge':
      return challengeOf(session)
    default:
      return fingerprintOf(session)
  }
}

function redirectOf(session: Session, page: Fields): Answer {
  session.step = 'redirect'
  const action = { type: 'redirect', paymentMethodType: 'scheme', ...page }
  return [200, { resultCode: 'RedirectShopper', action }]
}

function fingerprintOf(session: Session): Answer {
  session.step = 'fingerprint'
  const hasMethod = session.flow !== 'no method' && session.flow !== 'circles'
  const token = {
    threeDSMessageVersion: '2.2.0',
    threeDSServerTransID: serverIdOf(session),
    ...(hasMethod && { threeDSMethodURL: `${ISSUER}/method` }),
    threeDSMethodNotificationURL: `${CHECKOUT}/notification`,
  }
  return [200, { resultCode: 'IdentifyShopper', action: nativeAction('fingerprint', session, token) }]
}

function challengeOf(session: Session): Answer {
  session.step = 'challenge'
  const token = {
    acsReferenceNumber: 'ADYEN-ACS-SIMULATOR',
    acsTransID: `acs-${session.id}`,
    acsURL: `${ISSUER}/challenge`,
    messageVersion: '2.2.0',
    threeDSNotificationURL: String((session.payment.threeDS2RequestData as Fields | undefined)?.notificationURL),
    threeDSServerTransID: serverIdOf(session),
  }
  return [200, { resultCode: 'ChallengeShopper', action: nativeAction('challenge', session, token) }]
}

function nativeAction(subtype: string, session: Session, token: Fields): Fields {
  return {
    type: 'threeDS2',
    subtype,
    paymentMethodType: 'scheme',
    token: Buffer.from(JSON.stringify(token)).toString('base64'),
    paymentData: `Ab02b4c0!${session.id}`,
    authorisationToken: `authorise-${session.id}`,
  }
}

/** Of the three kinds of result the session that it is about. */
function sessionIdOf(details: Record<string, string>, paymentData: string | undefined): string | undefined {
  const { redirectResult, MD, PaRes, threeDSResult } = details
  if (redirectResult !== undefined) return /^result-of-(session-\d+)$/.exec(redirectResult)?.[1]
  if (PaRes !== undefined) return PaRes === `pares-of-${MD}` ? MD : undefined
  const token = threeDSResult === undefined ? paymentData : decode(threeDSResult).authorisationToken
  return /session-\d+$/.exec(String(token))?.[0]
}

function serverIdOf({ id }: Session): string {
  return `server-${id}`
}

type Form = Readonly<Record<string, string>>

/** The session that a page is about, by its address or by what is posted to it. */
function idOnPage(url: string, form: Form | null): string | undefined {
  const { MD, creq, threeDSMethodData } = form ?? {}
  const message = creq ?? threeDSMethodData
  const text = message === undefined ? `${url} ${MD}` : String(decode(message).threeDSServerTransID)
  return /session-\d+/.exec(text)?.[0]
}

function decode(message: string): Fields {
  return JSON.parse(Buffer.from(message, 'base64url').toString()) as Fields
}

function encodeUrl(message: Fields): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url')
}

export function refused({ reference, amount }: Fields, refusalReasonCode: string, refusalReason: string): Answer {
  const pspReference = `REFUSED${String(reference).slice(-9).toUpperCase()}`
  return [
    200,
    { pspReference, merchantReference: reference, amount, resultCode: 'Refused', refusalReasonCode, refusalReason },
  ]
}

function validation(message: string): Answer {
  return [422, { status: 422, errorCode: '702', message, errorType: 'validation' }]
}
