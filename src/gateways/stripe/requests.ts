import type Stripe from 'stripe'
import type { AuthenticationRequest, ExternalAuthentication } from '../../../domain/authentication.ts'
import type {
  AuthorizeRequest,
  CaptureRequest,
  ContinueRequest,
  FollowUpRequest,
  GatewayCard,
  IncrementRequest,
  RefundRequest,
} from '../gateway.ts'
import { toStripeAmount } from './amounts.ts'

type Step = 'capture' | 'increment' | 'void'

/** Under which name a PaymentIntent and a refund carry our reference. */
export const REFERENCE = 'reference'
export const INVOICE_ID = 'invoice_id'

/** The charge tells what the scheme said; without it only its id comes. */
export const EXPAND_CHARGE = ['latest_charge']

/** Of the schemes on a co-badged card those that Stripe lets one prefer, by our names. */
const PREFERABLE: Readonly<Record<string, 'cartes_bancaires' | 'mastercard' | 'visa'>> = {
  'carte bancaire': 'cartes_bancaires',
  mastercard: 'mastercard',
  visa: 'visa',
}

/** Stripe appends the suffix to the account's prefix and refuses these characters, and more than 22 of any. */
const FORBIDDEN_IN_DESCRIPTOR = /[<>\\'"*]/g
const DESCRIPTOR_LENGTH_MAX = 22

/** The card, for which Stripe hands out an id that the authorization then names. */
export function paymentMethodOf(card: GatewayCard, scheme: string | null): Stripe.PaymentMethodCreateParams {
  const preferred = PREFERABLE[scheme ?? '']
  return {
    type: 'card',
    card: {
      number: card.number,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      ...(card.cvc !== null && { cvc: card.cvc }),
      ...(preferred !== undefined && { networks: { preferred } }),
    },
    ...(card.name !== null && { billing_details: { name: card.name } }),
  }
}

/** Null where Stripe cannot express the amount. */
export function paymentIntentOf(
  request: AuthorizeRequest,
  paymentMethod: string,
): Stripe.PaymentIntentCreateParams | null {
  const { reference, invoiceId, currency } = request
  const amount = toStripeAmount(request.amountMinor, currency)
  if (amount === null) return null
  const suffix = descriptorSuffix(request.statementDescriptor)
  return {
    amount,
    currency: currency.toLowerCase(),
    allowed_payment_method_types: ['card'],
    payment_method: paymentMethod,
    payment_method_options: { card: cardOptions(request) },
    capture_method: request.mustSell ? 'automatic' : 'manual',
    confirm: true,
    ...(request.isMerchantInitiated ? { off_session: true } : wayBack(request.authentication)),
    ...(suffix !== null && { statement_descriptor_suffix: suffix }),
    metadata: { [REFERENCE]: reference, [INVOICE_ID]: invoiceId },
    expand: EXPAND_CHARGE,
  }
}

type CardOptions = Stripe.PaymentIntentCreateParams.PaymentMethodOptions.Card

function cardOptions(request: AuthorizeRequest) {
  const { mustSell, incremental, isMerchantInitiated, initialSchemeTransactionId, settings } = request
  const options: CardOptions = {
    request_incremental_authorization: incremental && !mustSell ? 'if_available' : 'never',
    request_multicapture: mustSell || settings.multicapture === 'never' ? 'never' : 'if_available',
    ...authenticationOptions(request),
  }
  // Stripe opens this parameter account by account, so that the published types lack it.
  const mayNameEarlier = settings.mit_exemption === 'enabled' && isMerchantInitiated
  return mayNameEarlier && initialSchemeTransactionId !== null
    ? { ...options, mit_exemption: { network_transaction_id: initialSchemeTransactionId } }
    : options
}

/** The challenge indicators by which the merchant wants a challenge. Stripe decides about all others by itself. */
const WANTS_CHALLENGE: ReadonlySet<string | null> = new Set([
  'challenge-requested',
  'challenge-requested-mandate',
  'challenge-requested-whitelist-prompt',
])

/** Without a parameter Stripe authenticates where regulation, the issuer or its own rules demand it. */
function authenticationOptions({ isMerchantInitiated, isMoto, authentication }: AuthorizeRequest): CardOptions {
  const { external, isRequired, challengeIndicator } = authentication
  if (external !== null) return { three_d_secure: importedAuthentication(external) }
  if (isMerchantInitiated) return {}
  // Out of scope for authentication only if it is told. Source: Stripe's page "Mail order telephone order (MOTO)".
  if (isMoto === true) return { moto: true }
  if (WANTS_CHALLENGE.has(challengeIndicator)) return { request_three_d_secure: 'challenge' }
  return isRequired ? { request_three_d_secure: 'any' } : {}
}

/** Stripe refuses an import without the scheme's id of it. Source: Stripe's page "Import 3D Secure results". */
function importedAuthentication(external: ExternalAuthentication): NonNullable<CardOptions['three_d_secure']> {
  const { version, transStatus, eci, cavv, xid, dsTransId, wasChallenged } = external
  const isVersion1 = version.startsWith('1.')
  return {
    version,
    cryptogram: cavv,
    transaction_id: (isVersion1 ? xid : dsTransId) ?? '',
    electronic_commerce_indicator: eci,
    ...(!isVersion1 && { ares_trans_status: wasChallenged ? 'C' : transStatus }),
  }
}

/**
 * Where Stripe's page sends the browser. If nobody can act, or the authentication was made elsewhere, Stripe declines a
 * card that needs one instead of waiting for it. Source: Stripe's page "Import 3D Secure results".
 */
function wayBack({ isPossible, returnUrl, external }: AuthenticationRequest) {
  const canAct = isPossible && external === null
  return canAct && returnUrl !== null ? { return_url: returnUrl } : { error_on_requires_action: true }
}

/** Confirms a PaymentIntent again, whose customer has authenticated. */
export function confirmationOf({ authentication }: ContinueRequest): Stripe.PaymentIntentConfirmParams {
  return { ...wayBack(authentication), expand: EXPAND_CHARGE }
}

function descriptorSuffix(descriptor: string | null): string | null {
  const suffix = (descriptor ?? '').replace(FORBIDDEN_IN_DESCRIPTOR, '').slice(0, DESCRIPTOR_LENGTH_MAX).trim()
  return /[a-z]/i.test(suffix) ? suffix : null
}

export function captureOf(request: CaptureRequest): Stripe.PaymentIntentCaptureParams | null {
  const amount = toStripeAmount(request.amountMinor, request.currency)
  if (amount === null) return null
  return {
    amount_to_capture: amount,
    // To release the rest is Stripe's default; accounts without multicapture refuse the parameter, whatever its value.
    ...(!request.isFinal && { final_capture: false }),
    metadata: mark(request, 'capture', amount),
    expand: EXPAND_CHARGE,
  }
}

/** Stripe takes the new total, so that a repeated request cannot add twice. */
export function incrementOf(request: IncrementRequest): Stripe.PaymentIntentIncrementAuthorizationParams | null {
  const total = toStripeAmount(request.targetTotalMinor, request.currency)
  const added = toStripeAmount(request.amountMinor, request.currency)
  if (total === null || added === null) return null
  return { amount: total, metadata: mark(request, 'increment', added), expand: EXPAND_CHARGE }
}

/** Releases what captures have left, which Stripe calls a final capture of nothing. Source: its page "Multicapture". */
export function releaseOf(request: FollowUpRequest, amount: number): Stripe.PaymentIntentCaptureParams {
  return {
    amount_to_capture: 0,
    final_capture: true,
    metadata: mark(request, 'void', amount),
    expand: EXPAND_CHARGE,
  }
}

export function refundOf(request: RefundRequest): Stripe.RefundCreateParams | null {
  const amount = toStripeAmount(request.amountMinor, request.currency)
  if (amount === null) return null
  return {
    payment_intent: request.gatewayAuthorizationId,
    amount,
    metadata: { [REFERENCE]: request.reference, [INVOICE_ID]: request.invoiceId },
  }
}

/** A step leaves its reference on the PaymentIntent, in the same request, so that a look-up sees that it was made. */
function mark({ reference }: FollowUpRequest, step: Step, amount: number): Record<string, string> {
  return { [reference]: `${step}:${amount}` }
}

const MARK = /^(capture|increment|void):(\d+)$/

/** The steps that have left their reference on the PaymentIntent, with amounts in Stripe's units. */
export function marksOf(metadata: Stripe.Metadata): { reference: string; step: Step; amount: number }[] {
  return Object.entries(metadata).flatMap(([reference, mark]) => {
    const [, step, amount] = MARK.exec(mark) ?? []
    return step === undefined ? [] : [{ reference, step: step as Step, amount: Number(amount) }]
  })
}

/** The amount of a step that was made, in Stripe's units; null where the PaymentIntent does not know it. */
export function markedAmount(metadata: Stripe.Metadata, reference: string, step: Step): number | null {
  return marksOf(metadata).find((mark) => mark.reference === reference && mark.step === step)?.amount ?? null
}

/** By how much an authorization was raised in all, in Stripe's units. */
export function raisedBy(metadata: Stripe.Metadata): number {
  return marksOf(metadata).reduce((sum, { step, amount }) => sum + (step === 'increment' ? amount : 0), 0)
}
