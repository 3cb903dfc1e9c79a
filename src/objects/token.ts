import { z } from 'zod'
import type { CustomerTokenRow } from '../persistence/entities/customer-token.ts'
import { TOKEN_TYPES, VERIFICATION_STATUSES } from '../persistence/entities/customer-token.ts'
import { object, related, type Shown } from './object.ts'
import { CHANGED, flag, id, instant, metadata, OWNER, orNull, text, word } from './shown.ts'
import { presentTimestamp } from './values.ts'

const schemeTransactionId = object('SchemeTransactionId', 'A scheme’s id of the first payment of a series.', {
  id: text('The id by which the scheme knows the first payment.'),
  obtained_at: instant('When the scheme told the id.'),
})

export const token = object(
  'Token',
  'A payment source that is stored for a customer. It pays as often as you like, for this customer only.',
  {
    id: id('token', 'The token. It is a `source` of payments.'),
    ...OWNER,
    customer_id: id('customer', 'The customer that the token belongs to.'),
    customer: related('Customer', 'The customer that the token belongs to.'),
    card_id: orNull(id('card', 'The card that the token was made of. As a `source` it stands for the token.')),
    card: related('Card', 'The card that the token was made of.'),
    gateway_configuration_id: orNull(
      id('gatewayConfiguration', 'The account that you named; it does not limit where the token is charged.'),
    ),
    gateway_configuration: related('GatewayConfiguration', 'The account that you named.'),
    invoice_id: orNull(id('invoice', 'The invoice that verified the token.')),
    invoice: related('Invoice', 'The invoice that verified the token.'),
    type: word(TOKEN_TYPES, 'What the token was made of; `pending` as long as it waits for its source.'),
    is_default: flag('Whether the token is the default one of its customer.'),
    is_chargeable: flag('Whether the token can pay.'),
    is_subscription_only: flag('Whether the token can pay only what you initiate.'),
    summary: orNull(text('The source in a few words, such as `visa 4242`.')),
    description: orNull(text('Your own description of the source.')),
    preferred_scheme: orNull(
      text('The scheme that is used where the card carries it; it counts before that of the card.'),
    ),
    verification_status: word(VERIFICATION_STATUSES, 'Whether the issuer was asked about the source, and its answer.'),
    scheme_transaction_ids: z
      .record(z.string(), schemeTransactionId)
      .describe(
        'The first payment of a series by the name of its scheme; later payments that you initiate refer to it.',
      ),
    return_url: orNull(text('Where the customer is sent after a verification.')),
    cancel_url: orNull(text('Where the customer is sent after cancelling a verification.')),
    webhook_url: orNull(text('The address that is sent the events of this token.')),
    manual_invoice_cancellation: flag('Whether what a verification reserved stays until you release it.'),
    can_get_balance: z.literal(false).describe('Always false: balances of cards cannot be read.'),
    metadata: metadata('Your own keys and values.'),
    ...CHANGED,
  },
  {
    clients: [
      'id',
      'project_id',
      'customer_id',
      'card_id',
      'invoice_id',
      'type',
      'summary',
      'description',
      'verification_status',
      'is_default',
      'is_chargeable',
      'return_url',
      'cancel_url',
      'sandbox',
      'created_at',
    ],
    personal: ['summary', 'description', 'scheme_transaction_ids', 'metadata'],
  },
)

/**
 * A stored payment source as merchants see it; what is not expanded is null.
 *
 * @param customer its owner, whose row tells which token is the default one.
 */
export function presentToken(
  row: CustomerTokenRow,
  customer: { defaultTokenId?: string | null | undefined },
): Shown<typeof token> {
  return {
    id: row.id,
    project_id: row.projectId,
    customer_id: row.customerId,
    customer: null,
    card_id: row.cardId ?? null,
    card: null,
    gateway_configuration_id: row.gatewayConfigurationId ?? null,
    gateway_configuration: null,
    invoice_id: row.invoiceId ?? null,
    invoice: null,
    type: row.type,
    is_default: customer.defaultTokenId === row.id,
    is_chargeable: row.isChargeable,
    is_subscription_only: row.isSubscriptionOnly,
    summary: row.summary ?? null,
    description: row.description ?? null,
    preferred_scheme: row.preferredScheme ?? null,
    verification_status: row.verificationStatus,
    scheme_transaction_ids: row.schemeTransactionIds,
    return_url: row.returnUrl ?? null,
    cancel_url: row.cancelUrl ?? null,
    webhook_url: row.webhookUrl ?? null,
    manual_invoice_cancellation: row.manualInvoiceCancellation,
    can_get_balance: false,
    metadata: row.metadata,
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
    updated_at: presentTimestamp(row.updatedAt),
  }
}
