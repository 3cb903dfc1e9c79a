import type { CardChecks, GatewayOperationType, Outcome } from '../../../domain/operation.ts'
import type { AuthorizeRequest } from '../gateway.ts'
import { authorizationCode, gatewayOperationId, schemeTransactionId } from './facts.ts'
import type { AuthorizationEntry, LoggedScript } from './log.ts'
import { type AuthorizationScript, type CaptureScript, refusal, type Scenario } from './scenario.ts'
import { storyOf, storyOfKey } from './story.ts'

/** The continuation that the simulator has handed out, as it were: it pays without a card. */
const VALID_GATEWAY_REQUEST = 'test-valid'

/** What the story of the card makes of an authorization. Any number that is no test card is refused. */
export function judgeAuthorization(request: AuthorizeRequest, at: Date): AuthorizationEntry {
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
  const told = card === null ? storyOfGatewayRequest(request) : storyOf(card)
  if (told === null) {
    const outcome = declined(refusal(card === null ? 'gateway.invalid-customer-input' : 'card.test'))
    return { ...entry, scenario: null, outcome, delivery: null, story: {} }
  }
  const { key, scenario } = told
  const script = scenario.authorize
  const approval = approve(request, scenario, at)
  return {
    ...entry,
    scenario: key,
    outcome: isExcepted(request, script?.unless) ? approval : scripted(request, script, approval),
    delivery: script?.delivery ?? null,
    story: laterSteps(scenario),
    firstUse:
      card !== null && script?.unless === 'first-use' && !usesStoredCredentials(request)
        ? { expiry: `${card.expMonth}/${card.expYear}`, outcome: approval }
        : null,
  }
}

export function declined(decline: ReturnType<typeof refusal>): Outcome {
  return { kind: 'declined', ...decline }
}

function storyOfGatewayRequest({ gatewayRequest }: AuthorizeRequest) {
  return gatewayRequest === VALID_GATEWAY_REQUEST ? storyOfKey('approved') : null
}

function scripted(request: AuthorizeRequest, script: AuthorizationScript | undefined, approval: Outcome): Outcome {
  if (script?.isSaleOnly && takesMoney(request) && !request.mayFallBackToSale) {
    return declined(refusal('request.gateway.operation-not-supported'))
  }
  return script?.decline ? declined(script.decline) : approval
}

function isExcepted(request: AuthorizeRequest, exception: AuthorizationScript['unless']): boolean {
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

/** False for a verification of the card, which asks for an amount of zero. */
function takesMoney({ amountMinor }: AuthorizeRequest): boolean {
  return amountMinor > 0
}

/** A payment by a merchant, or one that refers to an earlier one, is a later use whatever the log remembers. */
function usesStoredCredentials(request: AuthorizeRequest): boolean {
  return request.isMerchantInitiated || request.initialSchemeTransactionId !== null
}

function approve(request: AuthorizeRequest, { authorize: script, checks }: Scenario, at: Date): Outcome {
  const { reference, amountMinor, currency, card, scheme } = request
  return {
    kind: 'approved',
    gatewayOperationId: gatewayOperationId('authorization', reference),
    amountMinor: script?.isPartial ? halfOf(amountMinor) : amountMinor,
    currency,
    ...(scheme !== null && { schemeTransactionId: schemeTransactionId(scheme, reference, at) }),
    authorizationCode: authorizationCode(reference),
    ...(card !== null && { cardChecks: checksOf(card.cvc, checks) }),
    ...(script?.isSaleOnly && takesMoney(request) && { isSale: true }),
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
function laterSteps({ capture, increment, void: release, refund }: Scenario): AuthorizationEntry['story'] {
  const steps: [GatewayOperationType, CaptureScript | undefined][] = [
    ['capture', capture],
    ['increment_authorization', increment],
    ['void', release],
    ['refund', refund],
  ]
  return Object.fromEntries(steps.flatMap(([type, script]) => (script ? [[type, logged(script)]] : [])))
}

function logged({ decline, ...script }: CaptureScript): LoggedScript {
  return { ...script, ...(decline && { decline: declined(decline) }) }
}
