import { z } from 'zod'
import type { CustomerTokenRow } from '../persistence/entities/customer-token.ts'
import { TOKEN_TYPES, VERIFICATION_STATUSES } from '../persistence/entities/customer-token.ts'
import { returnUrl, webhookUrl } from './addresses.ts'
import { preferredScheme } from './card-scheme.ts'
import { shownColumns } from './columns.ts'
import { both, METADATA, personal, shownToClients, takenFields, takenNames } from './fields.ts'
import { object, related, type Shown } from './object.ts'
import { flag, id, instant, OWNER, orNull, text, UPDATED, WRITTEN, word } from './shown.ts'
import { optionalFlag, optionalId, optionalText, type Scalars } from './taken.ts'

const schemeTransactionId = object('SchemeTransactionId', 'A scheme’s id of the first payment of a series.', {
  id: text('The id by which the scheme knows the first payment.'),
  obtained_at: instant('When the scheme told the id.'),
})

const description = optionalText(255, { invalid: 'request.validation.invalid-description' })

/** Source of the lengths: ProcessOut's reference, fields of a token. */
const FIELDS = {
  ...shownToClients({
    id: id('token', 'The token. It is a `source` of payments.'),
    ...OWNER,
    customer_id: id('customer', 'The customer that the token belongs to.'),
    card_id: orNull(id('card', 'The card that the token was made of. As a `source` it stands for the token.')),
    invoice_id: orNull(id('invoice', 'The invoice that verified the token.')),
    type: word(TOKEN_TYPES, 'What the token was made of; `pending` as long as it waits for its source.'),
    is_default: flag('Whether the token is the default one of its customer.'),
    is_chargeable: flag('Whether the token can pay.'),
  }),
  customer: related('Customer', 'The customer that the token belongs to.'),
  card: related('Card', 'The card that the token was made of.'),
  invoice: related('Invoice', 'The invoice that verified the token.'),
  is_subscription_only: flag('Whether the token can pay only what you initiate.'),
  ...personal(
    shownToClients({
      summary: both(orNull(text('The source in a few words, such as `visa 4242`.')), description),
      description: both(orNull(text('Your own description of the source.')), description),
    }),
  ),
  ...personal({ metadata: METADATA }),
  ...shownToClients({
    return_url: both(orNull(text('Where the customer is sent after a verification.')), returnUrl),
    cancel_url: both(orNull(text('Where the customer is sent after cancelling a verification.')), returnUrl),
  }),
  webhook_url: both(orNull(text('The address that is sent the events of this token.')), webhookUrl),
  gateway_configuration_id: both(
    orNull(id('gatewayConfiguration', 'The account that you named; it does not limit where the token is charged.')),
    optionalId('gatewayConfiguration', 'is not known to this project', 'resource.gateway-configuration.not-found'),
  ),
  gateway_configuration: related('GatewayConfiguration', 'The account that you named.'),
  preferred_scheme: both(
    orNull(text('The scheme that is used where the card carries it; it counts before that of the card.')),
    preferredScheme,
  ),
  manual_invoice_cancellation: both(
    flag('Whether what a verification reserved stays until you release it.'),
    optionalFlag,
  ),
  ...shownToClients({
    verification_status: word(VERIFICATION_STATUSES, 'Whether the issuer was asked about the source, and its answer.'),
  }),
  ...personal({
    scheme_transaction_ids: z
      .record(z.string(), schemeTransactionId)
      .describe(
        'The first payment of a series by the name of its scheme; later payments that you initiate refer to it.',
      ),
  }),
  can_get_balance: z.literal(false).describe('Always false: balances of cards cannot be read.'),
  ...shownToClients(WRITTEN),
  ...UPDATED,
}

export const token = object(
  'Token',
  'A payment source that is stored for a customer. It pays as often as you like, for this customer only.',
  FIELDS,
)

/** The fields that a request gives as they are shown. */
export const tokenInput = (scalars: Scalars) => takenFields(FIELDS, scalars)
export const TOKEN_COLUMNS = takenNames(FIELDS)

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
    ...shownColumns(FIELDS, row),
    customer: null,
    card: null,
    gateway_configuration: null,
    invoice: null,
    is_default: customer.defaultTokenId === row.id,
    can_get_balance: false,
  }
}
