import { isCurrency } from '../../../domain/money.ts'
import type { CardChecks, Outcome } from '../../../domain/operation.ts'
import type { AuthorizeRequest } from '../gateway.ts'
import { authorizationCode, gatewayOperationId, schemeTransactionId } from './ids.ts'
import type { UsedCard } from './ledger.ts'
import { type Delivery, decline, type Scenario, type ScriptedAuthorization } from './scenarios.ts'
import { scenarioKeyOf, scenarioOf } from './test-cards.ts'

/** A payment without a card goes on with what the gateway has handed out; this is what the simulator hands out. */
const VALID_GATEWAY_REQUEST = 'test-valid'

export interface Authorized {
  /** Null where no scenario is played. */
  scenario: string | null
  outcome: Outcome
  delivery: Delivery | null
  /** For cards that treat their first use apart: its outcome. */
  firstUse: { card: UsedCard; outcome: Outcome } | null
}

/** What becomes of an authorization. A number that is no test card is declined. */
export function authorize(request: AuthorizeRequest, at: Date): Authorized {
  const { currency, card } = request
  const refused = (outcome: Outcome) => ({ scenario: null, outcome, delivery: null, firstUse: null })
  if (!isCurrency(currency)) return refused(decline('gateway.unsupported-currency'))
  if (card === null && request.gatewayRequest !== VALID_GATEWAY_REQUEST)
    return refused(decline('gateway.invalid-customer-input'))
  const key = card === null ? 'approved' : scenarioKeyOf(card)
  if (key === null) return refused(decline('card.test'))
  const scenario = scenarioOf(key)
  const script = scenario.authorize ?? {}
  const approval = approve(request, scenario, at)
  const isFirstUsePossible = card !== null && script.unless === 'first-use' && !usesStoredCredentials(request)
  return {
    scenario: key,
    outcome: isExcepted(request, script) ? approval : scriptedOutcome(request, script, approval),
    delivery: script.delivery ?? null,
    firstUse: isFirstUsePossible
      ? { card: { scenario: key, expiry: `${card.expMonth}/${card.expYear}` }, outcome: approval }
      : null,
  }
}

function scriptedOutcome(request: AuthorizeRequest, script: ScriptedAuthorization, approval: Outcome): Outcome {
  if (isSale(request, script) && !request.mayFallBackToSale) return decline('request.gateway.operation-not-supported')
  return script.decline ? { kind: 'declined', ...script.decline } : approval
}

/** Whether the decline does not apply. Whether it is the first use of a card, only the books know. */
function isExcepted(request: AuthorizeRequest, { unless }: ScriptedAuthorization): boolean {
  if (unless === 'merchant-initiated') return request.isMerchantInitiated
  return unless === 'verification' && !takesMoney(request)
}

/** Whether authorization and capture cannot be parted: the card or the account knows sales only. */
function isSale(request: AuthorizeRequest, script: ScriptedAuthorization): boolean {
  return takesMoney(request) && (request.mustSell || script.isSaleOnly === true)
}

/** False for a verification of the card, which asks for an amount of zero. */
function takesMoney({ amountMinor }: AuthorizeRequest): boolean {
  return amountMinor > 0
}

/** A payment by a merchant, or one that refers to an earlier one, is a later use whatever the books have. */
function usesStoredCredentials(request: AuthorizeRequest): boolean {
  return request.isMerchantInitiated || request.initialSchemeTransactionId !== null
}

function approve(request: AuthorizeRequest, { authorize: script = {}, checks }: Scenario, at: Date): Outcome {
  const { reference, amountMinor, currency, card, scheme } = request
  return {
    kind: 'approved',
    gatewayOperationId: gatewayOperationId('authorization', reference),
    amountMinor: script.isPartial ? halfOf(amountMinor) : amountMinor,
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
