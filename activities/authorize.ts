import { CardSecurityCodeEntity } from '../src/persistence/entities/card-security-code.ts'
import type { Ask } from './ask-gateway.ts'
import type { PaymentActivityDeps } from './dependencies.ts'

/**
 * Asks for an authorization. The card number and the security code are opened here and handed to the adapter; they
 * are in no argument or result of an activity.
 */
export function askForAuthorization({ orm, vault, clock }: PaymentActivityDeps): Ask {
  return async (gateway, { invoice, transaction, operation, card }, signal) => {
    if (card === null) throw new Error('An authorization without a card cannot be asked for.')
    const securityCode = await orm.em
      .fork()
      .findOne(CardSecurityCodeEntity, { cardId: card.id, expiresAt: { $gt: clock.now() } })
    return gateway.authorize(
      {
        reference: operation.id,
        invoiceId: invoice.id,
        amountMinor: operation.amountMinor,
        currency: operation.currency,
        card: {
          number: vault.openNumber(card.id, { ciphertext: card.numberCiphertext, keyId: card.numberKeyId }),
          expMonth: card.expMonth,
          expYear: card.expYear,
          name: card.name ?? null,
          cvc: securityCode === null ? null : vault.openSecurityCode(card.id, securityCode),
        },
        scheme: transaction.schemeUsed ?? card.scheme,
        incremental: transaction.incremental,
        isMerchantInitiated: invoice.merchantInitiatorType != null,
        initialSchemeTransactionId: transaction.initialSchemeTransactionId ?? null,
        statementDescriptor: invoice.statementDescriptor ?? null,
      },
      signal,
    )
  }
}
