import type { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js'
import type { AuthenticationRequest, BrowserDetails, ExternalAuthentication } from '../../../domain/authentication.ts'
import type { AuthorizeRequest } from '../gateway.ts'
import type { Json } from './json.ts'

type AuthenticationFields = Partial<
  Pick<
    Json<PaymentRequest>,
    'authenticationData' | 'browserInfo' | 'channel' | 'mpiData' | 'origin' | 'shopperIP' | 'threeDS2RequestData'
  >
>

type ChallengeIndicator = NonNullable<
  NonNullable<AuthenticationFields['threeDS2RequestData']>['threeDSRequestorChallengeInd']
>

/** Of our challenge indicators those that Adyen takes; the others have no word there. */
const CHALLENGE_INDICATORS: Readonly<Record<string, ChallengeIndicator>> = {
  'no-preference': '01',
  'no-challenge-requested': '02',
  'challenge-requested': '03',
  'challenge-requested-mandate': '04',
  'no-challenge-requested-tra-performed': '05',
  'no-challenge-requested-data-share-only': '06',
}

const WANTS_CHALLENGE: ReadonlySet<string | null> = new Set(['challenge-requested', 'challenge-requested-mandate'])

const EXEMPTIONS: Readonly<Record<string, string>> = {
  'low-value': 'lowValue',
  'trusted-beneficiary': 'trustedBeneficiary',
  'transaction-risk-analysis': 'transactionRiskAnalysis',
}

/** For `additionalData.scaExemption`. */
export function exemptionOf({ exemption }: AuthenticationRequest): string | null {
  return EXEMPTIONS[exemption ?? ''] ?? null
}

/**
 * The fields of a payment that are about authentication. Without `attemptAuthentication` Adyen decides by regulation
 * and the account's rules. If nobody can act, Adyen is told not to try, and declines a card that needs it.
 */
export function authenticationFields({
  authentication,
  isMerchantInitiated,
  isMoto,
}: AuthorizeRequest): AuthenticationFields {
  const { external, isPossible, isRequired, challengeIndicator, returnUrl } = authentication
  if (external !== null) return { mpiData: mpiDataOf(external) }
  if (isMerchantInitiated || isMoto === true) return {}
  const isWanted = isRequired || WANTS_CHALLENGE.has(challengeIndicator)
  if (!isPossible || returnUrl === null)
    return { authenticationData: { attemptAuthentication: isWanted ? 'always' : 'never' } }
  const isNative = canBeNative(authentication)
  return {
    channel: 'Web',
    origin: new URL(returnUrl).origin,
    ...browserFields(authentication.browser),
    authenticationData: {
      ...(isWanted && { attemptAuthentication: 'always' as const }),
      threeDSRequestData: isNative
        ? { nativeThreeDS: 'preferred', challengeWindowSize: '05' }
        : { nativeThreeDS: 'disabled' },
    },
    ...requestData(authentication, isNative ? returnUrl : null),
  }
}

/**
 * Adyen documents the tokens of native authentication for browsers only, and wants all details of the browser for it.
 * An application opens Adyen's page in a browser session instead.
 */
function canBeNative({ channel, browser }: AuthenticationRequest): boolean {
  return channel === 'web' && browser !== undefined
}

/** @param notificationUrl where the issuer sends the result of a native challenge; null for none */
function requestData(
  { challengeIndicator }: AuthenticationRequest,
  notificationUrl: string | null,
): AuthenticationFields {
  const indicator = CHALLENGE_INDICATORS[challengeIndicator ?? '']
  const data = {
    ...(notificationUrl !== null && { notificationURL: notificationUrl }),
    ...(indicator !== undefined && { threeDSRequestorChallengeInd: indicator }),
  }
  return Object.keys(data).length === 0 ? {} : { threeDS2RequestData: data }
}

function browserFields(browser: BrowserDetails | undefined): AuthenticationFields {
  if (browser === undefined) return {}
  const { ipAddress, ...browserInfo } = browser
  return { browserInfo, ...(ipAddress !== null && { shopperIP: ipAddress }) }
}

/** An authentication that was made elsewhere. Source: Adyen's page "Third-party authentication". */
function mpiDataOf(external: ExternalAuthentication): NonNullable<AuthenticationFields['mpiData']> {
  const { version, transStatus, eci, cavv, xid, dsTransId, wasChallenged } = external
  const isVersion1 = version.startsWith('1.')
  return {
    threeDSVersion: version,
    eci,
    cavv,
    directoryResponse: isVersion1 ? 'Y' : wasChallenged ? 'C' : transStatus,
    ...((isVersion1 || wasChallenged) && { authenticationResponse: transStatus }),
    ...(xid !== null && { xid }),
    ...(dsTransId !== null && { dsTransID: dsTransId }),
  }
}
