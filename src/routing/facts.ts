import type { AuthorizeCommand } from '../../domain/command.ts'
import { isMerchantInitiated } from '../../domain/initiation.ts'
import type { RoutingFacts } from '../../domain/routing/facts.ts'
import type { VelocityNeed, VelocityValues } from '../../domain/routing/velocity.ts'
import type { CardRow } from '../persistence/entities/card.ts'
import type { CustomerRow } from '../persistence/entities/customer.ts'
import type { CustomerTokenRow } from '../persistence/entities/customer-token.ts'
import type { InvoiceRow } from '../persistence/entities/invoice.ts'
import { findCustomer } from '../persistence/queries/customers/customers.ts'
import { countVelocities } from '../persistence/queries/routing/velocity-records.ts'
import type { Reader } from '../persistence/rows.ts'

/** The part of an invoice that rules look at, and whose it is. */
export type RoutedInvoice = Pick<
  InvoiceRow,
  | 'id'
  | 'projectId'
  | 'sandbox'
  | 'amountMinor'
  | 'currency'
  | 'customerId'
  | 'billing'
  | 'device'
  | 'deviceChannel'
  | 'merchantInitiatorType'
  | 'initiationType'
  | 'paymentIntent'
  | 'metadata'
  | 'verification'
>

type CardFact =
  | 'countryCode'
  | 'scheme'
  | 'coScheme'
  | 'type'
  | 'category'
  | 'iin'
  | 'last4Digits'
  | 'fingerprint'
  | 'ipAddress'

/** The same of a card; of one that is only described, anything may be missing. */
export type RoutedCard = { readonly [Fact in CardFact]?: CardRow[Fact] | null }

/** A payment that is to be authorized, as far as rules look at it. */
export interface RoutedPayment {
  invoice: RoutedInvoice
  command: Pick<AuthorizeCommand, 'incremental'>
  source: { card: RoutedCard | null; token: Pick<CustomerTokenRow, 'customerId'> | null }
  /** Epoch ms, of the payment's clock. */
  at: number
}

/**
 * What rules look at of a payment. The invoice's id stands for the transaction's, because it is known before: so an
 * explanation draws the same chances.
 *
 * @param customer of `findPayer`; null where there is none, or no rule looks at it
 */
function collectFacts(
  { invoice, command, source: { card } }: RoutedPayment,
  { customer, velocities }: { customer: CustomerRow | null; velocities: ReadonlyMap<string, number> },
): RoutingFacts {
  return {
    transactionId: invoice.id,
    amountMinor: invoice.amountMinor,
    currency: invoice.currency,
    customerCountry: customer?.countryCode ?? invoice.billing?.countryCode ?? null,
    // Nothing tells yet in which country an address is.
    ipCountry: null,
    cardCountry: card?.countryCode ?? null,
    cardScheme: card?.scheme ?? null,
    cardCoScheme: card?.coScheme ?? null,
    cardType: card?.type ?? null,
    cardCategory: card?.category ?? null,
    cardIin: card?.iin ?? null,
    cardLast4: card?.last4Digits ?? null,
    cardFingerprint: card?.fingerprint ?? null,
    channel: invoice.deviceChannel,
    merchantInitiated: isMerchantInitiated(invoice),
    paymentIntent: invoice.paymentIntent ?? null,
    incremental: command.incremental,
    metadata: invoice.metadata,
    isCardVerification: invoice.verification,
    velocities,
  }
}

/** Who pays: whose stored card it is, or whom the invoice names. */
function findPayer({ invoice, source }: Pick<RoutedPayment, 'invoice' | 'source'>): string | null {
  return source.token?.customerId ?? invoice.customerId ?? null
}

/**
 * What a payment is counted by. The address is that of the invoice's device, or else of the card, unless the card was
 * stored earlier.
 */
export function readVelocityValues({ invoice, source }: Pick<RoutedPayment, 'invoice' | 'source'>): VelocityValues {
  const { card, token } = source
  return {
    card_fingerprint: card?.fingerprint ?? null,
    card_iin: card?.iin ?? null,
    customer_id: findPayer({ invoice, source }),
    ip_address: invoice.device?.ipAddress ?? (token === null ? card?.ipAddress : null) ?? null,
  }
}

/** What rules look at beside the invoice and the card. */
export interface FactNeeds {
  velocities: readonly VelocityNeed[]
  /** Whether the customer is looked at. */
  customer: boolean
  /** True of a payment that was decided before: what has been tried since `at` is not counted. */
  isPast?: boolean
}

/** Reads what rules look at of a payment. */
export async function readFacts(reader: Reader, payment: RoutedPayment, needs: FactNeeds): Promise<RoutingFacts> {
  const { invoice } = payment
  const at = new Date(payment.at)
  const customerId = needs.customer ? findPayer(payment) : null
  const customer = customerId === null ? null : await findCustomer(reader, invoice, customerId)
  const velocities = await countVelocities(reader, invoice, needs.velocities, {
    ...readVelocityValues(payment),
    exceptInvoiceId: invoice.id,
    at,
    until: needs.isPast === true ? at : undefined,
  })
  return collectFacts(payment, { customer, velocities })
}
