import type { CardDetails } from '@adyen/api-library/lib/src/typings/checkout/cardDetails.js'
import type { PaymentAmountUpdateRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentAmountUpdateRequest.js'
import type { PaymentCancelRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentCancelRequest.js'
import type { PaymentCaptureRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentCaptureRequest.js'
import type { PaymentRefundRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRefundRequest.js'
import type { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js'
import type { AuthorizeRequest, FollowUpRequest, GatewayCard, IncrementRequest } from '../gateway.ts'
import type { AdyenAccount } from './account.ts'
import type { AdyenAmount } from './amount.ts'
import { authenticationFields, exemptionOf } from './authentication-request.ts'
import type { Json } from './json.ts'

/** Our names of the schemes and Adyen's. Source: Adyen, "PaymentMethodVariant" and the card brands of its components. */
const BRANDS: Readonly<Record<string, string>> = {
  visa: 'visa',
  mastercard: 'mc',
  maestro: 'maestro',
  'american express': 'amex',
  amex: 'amex',
  'carte bancaire': 'cartebancaire',
  bancontact: 'bcmc',
  dankort: 'dankort',
  diners: 'diners',
  'diners club': 'diners',
  discover: 'discover',
  jcb: 'jcb',
  'union pay': 'cup',
  unionpay: 'cup',
}

/** Adyen advises at most 22 characters: banks cut longer texts. */
const STATEMENT_LENGTH = 22
/** What a statement may hold, by Adyen's reference of `shopperStatement`. */
const FORBIDDEN_IN_STATEMENT = /[^a-zA-Z0-9 .,'_\-?+*/]/g

/** The body of `POST /payments`. The account's default may be automatic capture, so each payment says that it is not. */
export function paymentRequest(
  request: AuthorizeRequest,
  card: GatewayCard,
  amount: AdyenAmount,
  account: AdyenAccount,
): Json<PaymentRequest> {
  const { reference, invoiceId, scheme, isMerchantInitiated, initialSchemeTransactionId, statementDescriptor } = request
  const exemption = exemptionOf(request.authentication)
  return {
    merchantAccount: account.merchantAccount,
    reference,
    merchantOrderReference: invoiceId,
    amount,
    paymentMethod: cardDetails(card, scheme, account),
    returnUrl: request.authentication.returnUrl ?? account.returnUrl,
    shopperInteraction: shopperInteractionOf(request),
    ...(isMerchantInitiated && { recurringProcessingModel: account.recurringProcessingModel }),
    ...authenticationFields(request),
    ...(statementDescriptor !== null && { shopperStatement: shopperStatement(statementDescriptor) }),
    additionalData: {
      manualCapture: 'true',
      authorisationType: request.incremental ? 'PreAuth' : 'FinalAuth',
      ...(account.allowsPartialApproval && { allowPartialAuth: 'true' }),
      ...(initialSchemeTransactionId !== null && { networkTxReference: initialSchemeTransactionId }),
      ...(exemption !== null && { scaExemption: exemption }),
    },
    metadata: { invoiceId },
  }
}

/** An order by mail or telephone for which the customer was authenticated elsewhere has been made online. */
function shopperInteractionOf({ isMerchantInitiated, isMoto, authentication }: AuthorizeRequest) {
  if (isMerchantInitiated) return 'ContAuth'
  return isMoto === true && authentication.external === null ? 'Moto' : 'Ecommerce'
}

function cardDetails(card: GatewayCard, scheme: string | null, { cardData }: AdyenAccount): Json<CardDetails> {
  const brand = BRANDS[scheme ?? '']
  const month = String(card.expMonth).padStart(2, '0')
  const year = String(card.expYear)
  const fields: Json<CardDetails> =
    cardData === 'raw'
      ? { number: card.number, expiryMonth: month, expiryYear: year, ...(card.cvc !== null && { cvc: card.cvc }) }
      : {
          encryptedCardNumber: `test_${card.number}`,
          encryptedExpiryMonth: `test_${month}`,
          encryptedExpiryYear: `test_${year}`,
          ...(card.cvc !== null && { encryptedSecurityCode: `test_${card.cvc}` }),
        }
  return {
    type: 'scheme',
    ...fields,
    ...(card.name !== null && { holderName: card.name }),
    ...(brand !== undefined && { brand }),
  }
}

function shopperStatement(descriptor: string): string {
  return descriptor.replace(FORBIDDEN_IN_STATEMENT, ' ').slice(0, STATEMENT_LENGTH)
}

/** The body of `POST /payments/{pspReference}/captures`, and of `/refunds`. */
export function amountRequest(
  reference: string,
  amount: AdyenAmount,
  { merchantAccount }: AdyenAccount,
): Json<PaymentCaptureRequest & PaymentRefundRequest> {
  return { merchantAccount, reference, amount }
}

/**
 * The body of `POST /payments/{pspReference}/cancels`, which knows no amount: it releases all that is left. The notification of
 * it tells the amount of the payment, so the reference carries what is released.
 */
export function cancelRequest(
  request: Pick<FollowUpRequest, 'reference' | 'amountMinor'>,
  { merchantAccount }: AdyenAccount,
): Json<PaymentCancelRequest> {
  return { merchantAccount, reference: withAmount(request) }
}

/**
 * The body of `POST /payments/{pspReference}/amountUpdates`; the amount is the total after it. The notification of it tells
 * the total alone, so the reference carries what was added: Adyen separates several references in one by a hyphen.
 */
export function amountUpdateRequest(
  request: Pick<IncrementRequest, 'reference' | 'amountMinor'>,
  total: AdyenAmount,
  { merchantAccount }: AdyenAccount,
): Json<PaymentAmountUpdateRequest> {
  return { merchantAccount, reference: withAmount(request), amount: total }
}

function withAmount({ reference, amountMinor }: Pick<FollowUpRequest, 'reference' | 'amountMinor'>): string {
  return `${reference}-${amountMinor}`
}

/** Our reference of a step and its amount, in our minor units; null for a reference that carries none. */
export function readReferenceWithAmount(text: string): { reference: string; amountMinor: number } | null {
  const [, reference, added] = /^([^-]+)-(\d{1,15})$/.exec(text) ?? []
  return reference === undefined ? null : { reference, amountMinor: Number(added) }
}
