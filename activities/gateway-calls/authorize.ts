import { restrictCapabilities } from '../../domain/capabilities.ts'
import { isMerchantInitiated } from '../../domain/initiation.ts'
import type { GatewayCard } from '../../src/gateways/gateway.ts'
import type { CardRow } from '../../src/persistence/entities/card.ts'
import { CardSecurityCodeEntity, type CardSecurityCodeRow } from '../../src/persistence/entities/card-security-code.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { Attempt } from '../steps/begin-attempt.ts'
import type { Ask } from './ask-gateway.ts'

/**
 * Asks for an authorization. The card number and the security code are opened here and handed to the adapter; they
 * are in no argument or result of an activity.
 */
export function askForAuthorization(deps: PaymentActivityDeps): Ask {
  return async (gateway, attempt, signal) => {
    const { invoice, transaction, operation, card, source } = attempt
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
        mustSell: !restrictCapabilities(gateway.capabilities, attempt.configuration.capabilities).authorize,
        isMerchantInitiated: isMerchantInitiated(invoice),
        initialSchemeTransactionId: operation.initialSchemeTransactionId ?? null,
        statementDescriptor: invoice.statementDescriptor ?? null,
      },
      signal,
    )
  }
}

async function earlierReferences({ orm }: PaymentActivityDeps, { operation }: Attempt): Promise<string[]> {
  const { transactionId, type } = operation
  const attempts = await orm.em.fork().find(OperationEntity, { transactionId, type, isAttempt: true })
  return attempts.map(({ id }) => id)
}

/** @param known the security code, or null where it was found that there is none; undefined where nobody has looked */
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
    number: vault.openNumber(card.id, { ciphertext, keyId }),
    expMonth: card.expMonth,
    expYear: card.expYear,
    name: card.name ?? null,
    cvc: securityCode === null ? null : vault.openSecurityCode(card.id, securityCode),
  }
}
