import type { CardChecks, Outcome } from '../../../domain/operation.ts'
import type { AuthorizeRequest } from '../gateway.ts'
import { authorizationCode, gatewayOperationId, schemeTransactionId } from './facts.ts'
import type { AuthorizationEntry } from './log.ts'
import { refusal, type Scenario, scenarioOf } from './scenarios.ts'
import { findTestCard } from './test-cards.ts'

/** What the story of the card makes of an authorization. Any number that is no test card is refused. */
export function judgeAuthorization(request: AuthorizeRequest, at: Date): AuthorizationEntry {
  const testCard = findTestCard(request.card.number)
  const entry = {
    reference: request.reference,
    invoiceId: request.invoiceId,
    gatewayAuthorizationId: gatewayOperationId('authorization', request.reference),
    amountMinor: request.amountMinor,
    currency: request.currency,
    askedAt: at,
    incremental: request.incremental,
  }
  if (testCard === null) {
    return { ...entry, scenario: null, outcome: { kind: 'declined', ...refusal('card.test') }, firstUse: null }
  }
  const { authorize: script, checks } = scenarioOf(testCard.scenario)
  const approval = approve(request, checks, at)
  return {
    ...entry,
    scenario: testCard.scenario,
    outcome: isExcepted(request, script?.unless) ? approval : scripted(script, approval),
    firstUse:
      script?.unless === 'first-use' && !usesStoredCredentials(request)
        ? { expiry: `${request.card.expMonth}/${request.card.expYear}`, outcome: approval }
        : null,
  }
}

function scripted(script: Scenario['authorize'], approval: Outcome): Outcome {
  if (script?.delivery === 'never-resolved')
    return { kind: 'unknown', reason: 'The gateway cannot tell what happened.' }
  return script?.decline ? { kind: 'declined', ...script.decline } : approval
}

function isExcepted(request: AuthorizeRequest, exception: NonNullable<Scenario['authorize']>['unless']): boolean {
  switch (exception) {
    case 'merchant-initiated':
      return request.isMerchantInitiated
    case 'verification':
      return request.amountMinor === 0
    default:
      // Whether a use is the first one, only the log knows.
      return false
  }
}

/** A payment by a merchant, or one that refers to an earlier one, is a later use whatever the log remembers. */
function usesStoredCredentials(request: AuthorizeRequest): boolean {
  return request.isMerchantInitiated || request.initialSchemeTransactionId !== null
}

function approve(request: AuthorizeRequest, checks: Partial<CardChecks> | undefined, at: Date): Outcome {
  const { reference, amountMinor, currency, card, scheme } = request
  return {
    kind: 'approved',
    gatewayOperationId: gatewayOperationId('authorization', reference),
    amountMinor,
    currency,
    schemeTransactionId: schemeTransactionId(scheme, reference, at),
    authorizationCode: authorizationCode(reference),
    cardChecks: {
      cvcCheck: card.cvc === null ? 'unchecked' : (checks?.cvcCheck ?? 'passed'),
      avsCheck: checks?.avsCheck ?? 'unchecked',
    },
  }
}
