import type { ErrorCode } from '../../../domain/errors.ts'
import { isCurrency } from '../../../domain/money.ts'
import type { CardChecks, GatewayOperationType, Outcome } from '../../../domain/operation.ts'
import type { Authorization } from './call.ts'
import { authorizationCode, gatewayOperationId, schemeTransactionId } from './facts.ts'
import type { AuthorizationEntry, LoggedAnnouncement, LoggedScript } from './log.ts'
import { type AuthorizationScript, type CaptureScript, refusal, type Scenario } from './scenario.ts'
import type { NoticeSwitches } from './settings.ts'
import { storyOf, storyOfKey } from './story.ts'

/** The continuation that the simulator has handed out, as it were: it pays without a card. */
const VALID_GATEWAY_REQUEST = 'test-valid'

/**
 * What the story of the card makes of an authorization. Any number that is no test card is refused.
 *
 * @param notices what the account does to what is told of this payment later on
 */
export function judgeAuthorization(request: Authorization, at: Date, notices: NoticeSwitches): AuthorizationEntry {
  const { reference, gatewayConfigurationId, invoiceId, amountMinor, currency, incremental, card } = request
  const entry = {
    reference,
    gatewayConfigurationId,
    invoiceId,
    gatewayAuthorizationId: gatewayOperationId('authorization', reference),
    amountMinor,
    currency,
    askedAt: at,
    incremental,
    firstUse: null,
  }
  const refused = (code: ErrorCode) => ({
    ...entry,
    scenario: null,
    outcome: declined(refusal(code)),
    delivery: null,
    story: {},
  })
  if (!isCurrency(currency)) return refused('gateway.unsupported-currency')
  const told = card === null ? storyOfGatewayRequest(request) : storyOf(card)
  if (told === null) return refused(card === null ? 'gateway.invalid-customer-input' : 'card.test')
  const { key, scenario } = told
  const script = scenario.authorize
  const approval = approve(request, scenario, at)
  return {
    ...entry,
    scenario: key,
    outcome: isExcepted(request, script?.unless) ? approval : scripted(request, script, approval),
    delivery: script?.delivery ?? null,
    story: laterSteps(scenario, notices),
    firstUse:
      card !== null && script?.unless === 'first-use' && !usesStoredCredentials(request)
        ? { expiry: `${card.expMonth}/${card.expYear}`, outcome: approval }
        : null,
  }
}

export function declined(decline: ReturnType<typeof refusal>): Outcome {
  return { kind: 'declined', ...decline }
}

function storyOfGatewayRequest({ gatewayRequest }: Authorization) {
  return gatewayRequest === VALID_GATEWAY_REQUEST ? storyOfKey('approved') : null
}

function scripted(request: Authorization, script: AuthorizationScript | undefined, approval: Outcome): Outcome {
  if (isSale(request, script) && !request.mayFallBackToSale) {
    return declined(refusal('request.gateway.operation-not-supported'))
  }
  return script?.decline ? declined(script.decline) : approval
}

function isExcepted(request: Authorization, exception: AuthorizationScript['unless']): boolean {
  switch (exception) {
    case 'merchant-initiated':
      return request.isMerchantInitiated
    case 'verification':
      return !takesMoney(request)
    default:
      // Whether a use is the first one, only the log knows.
      return false
  }
}

/** Whether money and approval cannot be parted: the card or the account knows sales only. */
function isSale(request: Authorization, script: AuthorizationScript | undefined): boolean {
  return takesMoney(request) && (request.mustSell || script?.isSaleOnly === true)
}

/** False for a verification of the card, which asks for an amount of zero. */
function takesMoney({ amountMinor }: Authorization): boolean {
  return amountMinor > 0
}

/** A payment by a merchant, or one that refers to an earlier one, is a later use whatever the log remembers. */
function usesStoredCredentials(request: Authorization): boolean {
  return request.isMerchantInitiated || request.initialSchemeTransactionId !== null
}

function approve(request: Authorization, { authorize: script, checks }: Scenario, at: Date): Outcome {
  const { reference, amountMinor, currency, card, scheme } = request
  return {
    kind: 'approved',
    gatewayOperationId: gatewayOperationId('authorization', reference),
    amountMinor: script?.isPartial ? halfOf(amountMinor) : amountMinor,
    currency,
    ...(scheme !== null && { schemeTransactionId: schemeTransactionId(scheme, reference, at) }),
    authorizationCode: authorizationCode(reference),
    ...(card !== null && { cardChecks: checksOf(card.cvc, checks) }),
    ...(isSale(request, script) && { isSale: true }),
  }
}

/** Rounded down, and never nothing of something. */
function halfOf(amountMinor: number): number {
  return amountMinor === 1 ? 1 : Math.floor(amountMinor / 2)
}

function checksOf(cvc: string | null, checks: Partial<CardChecks> | undefined): CardChecks {
  return {
    cvcCheck: cvc === null ? 'unchecked' : (checks?.cvcCheck ?? 'passed'),
    avsCheck: checks?.avsCheck ?? 'unchecked',
  }
}

/** The rest of the story, which the log keeps with the authorization, so that no later step needs the card. */
function laterSteps(
  { capture, increment, void: release, refund }: Scenario,
  notices: NoticeSwitches,
): AuthorizationEntry['story'] {
  const steps: [GatewayOperationType, CaptureScript | undefined][] = [
    ['capture', capture],
    ['increment_authorization', increment],
    ['void', release],
    ['refund', refund],
  ]
  return Object.fromEntries(steps.flatMap(([type, script]) => (script ? [[type, logged(script, notices)]] : [])))
}

/** Time enough for the answer that a step is pending to be written down. */
const ENDING_MS = 300

const ENDING = { what: 'settled', reason: '', afterMs: ENDING_MS } as const

function logged({ decline, notices, ...script }: CaptureScript, switches: NoticeSwitches): LoggedScript {
  return {
    ...script,
    ...(decline && { decline: declined(decline) }),
    ...(notices && { notices: told(notices, switches) }),
    ...(script.isPendingFirst && switches.tellEndings && { endings: told([ENDING], switches) }),
  }
}

/** The notices of a step as the account wants them: late, in the order of the last one first, and each of them twice. */
function told(
  notices: readonly LoggedAnnouncement[],
  { isDuplicated, lateMs, isReversed }: NoticeSwitches,
): LoggedAnnouncement[] {
  const moments = notices.map(({ afterMs }) => afterMs + lateMs)
  if (isReversed) moments.reverse()
  return notices.map((notice, index) => ({
    ...notice,
    afterMs: moments[index] ?? notice.afterMs,
    ...(isDuplicated && { copies: 2 }),
  }))
}
