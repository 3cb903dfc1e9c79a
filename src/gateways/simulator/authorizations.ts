import { isCurrency } from '../../../domain/money.ts'
import type { Outcome } from '../../../domain/operation.ts'
import type { AuthorizeRequest } from '../gateway.ts'
import { authorizationCode, gatewayOperationId, schemeTransactionId } from './ids.ts'
import type { Result, UsedCard } from './ledger.ts'
import { decline, type Scenario } from './scenarios.ts'
import { scenarioKeyOf, scenarioOf } from './test-cards.ts'

/** A payment without a card continues a request that the gateway has issued; this is the simulator's. */
const VALID_GATEWAY_REQUEST = 'test-valid'

/**
 * The result of an authorization. A number that is no test card is declined.
 *
 * @param isFirstUse called for cards that treat their first use differently
 */
export async function authorize(
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
    (unless === 'merchant-initiated' && request.isMerchantInitiated) ||
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
