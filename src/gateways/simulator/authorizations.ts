import { randomUUID } from 'node:crypto'
import type { AuthenticationResult } from '../../../domain/authentication.ts'
import type { CustomerActionType } from '../../../domain/customer-action.ts'
import { isCurrency } from '../../../domain/money.ts'
import type { Outcome } from '../../../domain/operation.ts'
import type { AuthorizeRequest } from '../gateway.ts'
import { type AuthenticationPlan, begin, type Ended, planAuthentication } from './authentications.ts'
import { authorizationCode, gatewayOperationId, schemeTransactionId } from './ids.ts'
import type { Result, UsedCard } from './ledger.ts'
import { decline, type Scenario } from './scenarios.ts'
import { scenarioKeyOf, scenarioOf } from './test-cards.ts'

/** A payment without a card continues a request that the gateway has issued; this is the simulator's. */
const VALID_GATEWAY_REQUEST = 'test-valid'

/** What becomes of an authorization: at once, or after its customer has acted. */
export interface Authorized {
  result: Result
  /** Null where nothing is asked of the customer. */
  waits: { plan: AuthenticationPlan; returnUrl: string; type: CustomerActionType } | null
}

/**
 * Decides an authorization, or what its customer has to do first.
 *
 * @param isFirstUse called for cards that treat their first use differently
 */
export async function authorize(
  request: AuthorizeRequest,
  at: Date,
  isFirstUse: (card: UsedCard) => Promise<boolean>,
): Promise<Authorized> {
  const result = await decide(request, at, isFirstUse)
  if (result.scenario === null || request.card === null) return { result, waits: null }
  const planned = planAuthentication(request, scenarioOf(result.scenario), randomUUID)
  switch (planned.kind) {
    case 'none':
      return { result, waits: null }
    case 'declined':
      return { result: { ...result, outcome: decline(planned.code) }, waits: null }
    case 'made elsewhere':
      return { result: withAuthentication(result, planned.authentication), waits: null }
    case 'planned': {
      const { plan, returnUrl } = planned
      const next = begin(plan)
      if (next.kind === 'step') return { result, waits: { plan, returnUrl, type: next.type } }
      return { result: afterAuthentication(result, next), waits: null }
    }
  }
}

/** The result of an authorization whose customer was authenticated, or was not. */
export function afterAuthentication(result: Result, ended: Ended): Result {
  return ended.kind === 'declined'
    ? { ...result, outcome: { kind: 'declined', ...ended.decline } }
    : withAuthentication(result, ended.authentication)
}

function withAuthentication(result: Result, authentication: AuthenticationResult): Result {
  const { outcome } = result
  const isFinal = outcome.kind === 'approved' || outcome.kind === 'declined'
  return isFinal ? { ...result, outcome: { ...outcome, authentication } } : result
}

/** The result once nothing more is asked of the customer. A number that is no test card is declined. */
async function decide(
  request: AuthorizeRequest,
  at: Date,
  isFirstUse: (card: UsedCard) => Promise<boolean>,
): Promise<Result> {
  const { currency, card, amountMinor } = request
  const key = card === null ? 'approved' : scenarioKeyOf(card)
  if (!isCurrency(currency)) return refused(decline('gateway.unsupported-currency'))
  if (card === null && request.gatewayRequest !== VALID_GATEWAY_REQUEST)
    return refused(decline('gateway.invalid-customer-input'))
  if (key === null) return refused(decline('card.test'))
  const scenario = scenarioOf(key)
  const { unless, isSaleOnly = false, delivery = null, decline: scripted } = scenario.authorize ?? {}
  // A verification has no amount. A payment that refers to an earlier one is a later use, whatever the ledger shows.
  const isFirst = !request.isMerchantInitiated && request.initialSchemeTransactionId === null
  const isExcepted =
    (unless === 'verification' && amountMinor === 0) ||
    (unless === 'first-use' &&
      card !== null &&
      isFirst &&
      (await isFirstUse({ scenario: key, expiry: `${card.expMonth}/${card.expYear}` })))
  // The card or the account only allows sales.
  const isSale = amountMinor > 0 && (request.mustSell || isSaleOnly)
  const approval = approve(request, scenario, at, isSale)
  if (isExcepted) return { scenario: key, outcome: approval, later: null, delivery }
  const isRefused = isSale && !request.mayFallBackToSale
  const declined = isRefused ? decline('request.gateway.operation-not-supported') : (scripted ?? null)
  return { scenario: key, outcome: declined ? { kind: 'declined', ...declined } : approval, later: null, delivery }
}

function refused(outcome: Outcome): Result {
  return { scenario: null, outcome, later: null, delivery: null }
}

function approve(request: AuthorizeRequest, { authorize, checks }: Scenario, at: Date, isSale: boolean): Outcome {
  const { reference, amountMinor, currency, card, scheme } = request
  // Half is rounded down, but never to zero.
  const half = amountMinor === 1 ? 1 : Math.floor(amountMinor / 2)
  const cardChecks = {
    cvcCheck: card?.cvc == null ? 'unchecked' : (checks?.cvcCheck ?? 'passed'),
    avsCheck: checks?.avsCheck ?? 'unchecked',
  } as const
  return {
    kind: 'approved',
    gatewayOperationId: gatewayOperationId('authorization', reference),
    amountMinor: authorize?.isPartial ? half : amountMinor,
    currency,
    ...(scheme !== null && { schemeTransactionId: schemeTransactionId(scheme, reference, at) }),
    authorizationCode: authorizationCode(reference),
    ...(card !== null && { cardChecks }),
    ...(isSale && { isSale }),
  }
}
