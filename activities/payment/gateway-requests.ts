import type { AuthenticationRequest } from '../../domain/authentication.ts'
import { isMerchantInitiated, isMoto } from '../../domain/initiation.ts'
import type { GatewayOperationType, Outcome } from '../../domain/operation.ts'
import type { FollowUpRequest, Gateway, GatewayCard } from '../../src/gateways/gateway.ts'
import type { CardRow } from '../../src/persistence/entities/card.ts'
import { CardSecurityCodeEntity, type CardSecurityCodeRow } from '../../src/persistence/entities/card-security-code.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { Attempt, OpenedAttempt } from './attempt.ts'
import { answeredAction, askToContinue, authenticationOf } from './authentication.ts'

/** Calls the gateway for an attempt. It is the only part of a step that depends on the verb. */
export type Ask = (gateway: Gateway, attempt: OpenedAttempt, signal: AbortSignal) => Promise<Outcome>

export type Asks = Record<GatewayOperationType, Ask>

/** The gateway call of each type of attempt. */
export function createAsks(deps: PaymentActivityDeps): Asks {
  return {
    authorization: askForAuthorization(deps),
    capture: askForCapture,
    increment_authorization: askForIncrement,
    void: askForVoid,
    refund: askForRefund,
  }
}

/**
 * Asks for an authorization, or goes on with it after its customer has answered. The card number and the security code are
 * decrypted here for the adapter; they are never in an argument or result of an activity.
 */
function askForAuthorization(deps: PaymentActivityDeps): Ask {
  return async (gateway, attempt, signal) => {
    const answered = answeredAction(attempt)
    if (answered !== null) return askToContinue(deps, gateway, attempt, answered, signal)
    const { invoice, transaction, operation, card, source } = attempt
    const authentication = await authenticationOf(deps, attempt, gateway)
    if (cannotBeAuthenticated(authentication)) return NOT_AUTHENTICATED
    return gateway.authorize(
      {
        ...attempt.access,
        reference: operation.id,
        invoiceId: invoice.id,
        amountMinor: operation.amountMinor,
        currency: operation.currency,
        card: card === null ? null : await openCard(deps, card, source?.securityCode),
        gatewayRequest: operation.gatewayRequest ?? null,
        ...(operation.gatewayRequest != null && { earlierReferences: await earlierReferences(deps, attempt) }),
        scheme: operation.schemeUsed ?? card?.scheme ?? null,
        incremental: transaction.incremental,
        mayFallBackToSale: operation.mayFallBackToSale === true,
        mustSell: operation.isSale,
        isMerchantInitiated: isMerchantInitiated(invoice),
        ...(isMoto(invoice) && { isMoto: true as const }),
        initialSchemeTransactionId: operation.initialSchemeTransactionId ?? null,
        statementDescriptor: invoice.statementDescriptor ?? null,
        authentication,
      },
      signal,
    )
  }
}

/** A rule demands an authentication that this gateway, or this payment, does not offer. */
function cannotBeAuthenticated({ isRequired, isPossible, external }: AuthenticationRequest): boolean {
  return isRequired && !isPossible && external === null
}

const NOT_AUTHENTICATED: Outcome = {
  kind: 'declined',
  code: 'card.needs-authentication',
  gatewayCode: 'NO_AUTHENTICATION',
  isNotSent: true,
}

async function earlierReferences({ orm }: PaymentActivityDeps, { operation }: Attempt): Promise<string[]> {
  const { transactionId, type } = operation
  const attempts = await orm.em.fork().find(OperationEntity, { transactionId, type, isAttempt: true })
  return attempts.map(({ id }) => id)
}

/** @param known the security code, null if there is none, undefined if it was not read yet */
async function openCard(
  { orm, vault, clock }: PaymentActivityDeps,
  card: CardRow,
  known: CardSecurityCodeRow | null | undefined,
): Promise<GatewayCard> {
  const { numberCiphertext: ciphertext, numberKeyId: keyId } = card
  if (ciphertext == null || keyId == null) throw new Error('A card that was deleted cannot be charged.')
  const unexpired = { cardId: card.id, expiresAt: { $gt: clock.now() } }
  const securityCode = known === undefined ? await orm.em.fork().findOne(CardSecurityCodeEntity, unexpired) : known
  return {
    number: vault.decryptNumber(card.id, { ciphertext, keyId }),
    expMonth: card.expMonth,
    expYear: card.expYear,
    name: card.name ?? null,
    cvc: securityCode === null ? null : vault.decryptSecurityCode(card.id, securityCode),
  }
}

/** Asks for a capture; a final one makes the gateway release the rest. */
const askForCapture: Ask = (gateway, attempt, signal) =>
  gateway.capture({ ...followUp(attempt), isFinal: attempt.operation.isFinal !== false }, signal)

/** Asks for a higher authorization. The new total is in the attempt, so a repeated call cannot add twice. */
const askForIncrement: Ask = (gateway, attempt, signal) => {
  const { targetTotalMinor } = attempt.operation
  if (targetTotalMinor == null) throw new Error('The increment has no target total.')
  return gateway.increment({ ...followUp(attempt), targetTotalMinor }, signal)
}

/** Asks the gateway to release an authorized amount, all of it or a part. */
const askForVoid: Ask = (gateway, attempt, signal) => gateway.void(followUp(attempt), signal)

/** Asks the gateway to refund captured money, all of it or a part. */
const askForRefund: Ask = (gateway, attempt, signal) => gateway.refund(followUp(attempt), signal)

/** The request fields of every step on an existing authorization. */
function followUp(attempt: OpenedAttempt): FollowUpRequest {
  const { invoice, operation } = attempt
  const gatewayAuthorizationId = gatewayAuthorizationIdOf(attempt)
  if (gatewayAuthorizationId === null) throw new Error('The attempt has no authorization at the gateway.')
  return {
    ...attempt.access,
    reference: operation.id,
    invoiceId: invoice.id,
    amountMinor: operation.amountMinor,
    currency: operation.currency,
    gatewayAuthorizationId,
  }
}

/** The gateway's id of the authorization that an attempt belongs to; null if there is none. */
export function gatewayAuthorizationIdOf({ transaction, operation }: Attempt): string | null {
  return operation.gatewayAuthorizationId ?? transaction.gatewayAuthorizationId ?? null
}
