import { isMerchantInitiated } from '../../domain/initiation.ts'
import type { GatewayCard } from '../../src/gateways/gateway.ts'
import type { CardRow } from '../../src/persistence/entities/card.ts'
import { CardSecurityCodeEntity } from '../../src/persistence/entities/card-security-code.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { accessOf } from './access.ts'
import type { Ask } from './ask-gateway.ts'

/**
 * Asks for an authorization. The card number and the security code are opened here and handed to the adapter; they
 * are in no argument or result of an activity.
 */
export function askForAuthorization(deps: PaymentActivityDeps): Ask {
  return async (gateway, attempt, signal) => {
    const { invoice, transaction, operation, card } = attempt
    return gateway.authorize(
      {
        ...accessOf(attempt),
        reference: operation.id,
        invoiceId: invoice.id,
        amountMinor: operation.amountMinor,
        currency: operation.currency,
        card: card === null ? null : await openCard(deps, card),
        gatewayRequest: operation.gatewayRequest ?? null,
        scheme: operation.schemeUsed ?? card?.scheme ?? null,
        incremental: transaction.incremental,
        mayFallBackToSale: operation.mayFallBackToSale === true,
        isMerchantInitiated: isMerchantInitiated(invoice),
        initialSchemeTransactionId: operation.initialSchemeTransactionId ?? null,
        statementDescriptor: invoice.statementDescriptor ?? null,
      },
      signal,
    )
  }
}

async function openCard({ orm, vault, clock }: PaymentActivityDeps, card: CardRow): Promise<GatewayCard> {
  const { numberCiphertext: ciphertext, numberKeyId: keyId } = card
  if (ciphertext == null || keyId == null) throw new Error('A card that was deleted cannot be charged.')
  const securityCode = await orm.em
    .fork()
    .findOne(CardSecurityCodeEntity, { cardId: card.id, expiresAt: { $gt: clock.now() } })
  return {
    number: vault.openNumber(card.id, { ciphertext, keyId }),
    expMonth: card.expMonth,
    expYear: card.expYear,
    name: card.name ?? null,
    cvc: securityCode === null ? null : vault.openSecurityCode(card.id, securityCode),
  }
}
