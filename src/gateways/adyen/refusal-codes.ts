import type { ErrorCode } from '../../../domain/errors.ts'

/**
 * Adyen's reasons for a payment that was not authorized: `refusalReasonCode`, `refusalReason`, and our code.
 * Source: Adyen, "Refusal reasons" (development-resources/refusal-reasons).
 */
const REFUSALS: readonly (readonly [code: string, reason: string, ours: ErrorCode])[] = [
  ['2', 'Refused', 'card.declined'],
  ['3', 'Referral', 'card.contact-bank'],
  ['4', 'Acquirer Error', 'card.acquirer-failed'],
  ['5', 'Blocked Card', 'card.restricted'],
  ['6', 'Expired Card', 'card.expired'],
  ['7', 'Invalid Amount', 'card.invalid-amount'],
  ['8', 'Invalid Card Number', 'card.invalid-account'],
  ['9', 'Issuer Unavailable', 'card.issuer-down'],
  ['10', 'Not supported', 'card.not-supported'],
  ['11', '3D Not Authenticated', 'card.failed-3ds'],
  ['12', 'Not enough balance', 'card.no-money'],
  ['14', 'Acquirer Fraud', 'card.possible-fraud'],
  ['15', 'Cancelled', 'customer.cancelled'],
  ['16', 'Shopper Cancelled', 'customer.cancelled'],
  ['17', 'Invalid Pin', 'card.invalid-pin'],
  ['18', 'Pin tries exceeded', 'card.exceeded-pin-attempts'],
  ['19', 'Pin validation not possible', 'card.cannot-verify-pin'],
  ['20', 'FRAUD', 'gateway.possible-fraud'],
  ['21', 'Not Submitted', 'card.transaction-not-processed'],
  ['22', 'FRAUD-CANCELLED', 'gateway.possible-fraud'],
  ['23', 'Transaction Not Permitted', 'card.not-authorized'],
  ['24', 'CVC Declined', 'card.failed-cvc'],
  ['25', 'Restricted Card', 'card.restricted'],
  ['26', 'Revocation Of Auth', 'card.revoked'],
  ['27', 'Declined Non Generic', 'card.do-not-honor'],
  ['28', 'Withdrawal amount exceeded', 'card.exceeded-withdrawal-limit'],
  ['29', 'Withdrawal count exceeded', 'card.exceeded-activity-limits'],
  ['31', 'Issuer Suspected Fraud', 'card.possible-fraud'],
  ['32', 'AVS Declined', 'card.failed-avs'],
  ['33', 'Card requires online pin', 'card.missing-pin'],
  ['34', 'No checking account available on Card', 'card.no-cheque-account'],
  ['35', 'No savings account available on Card', 'card.no-savings-account'],
  ['36', 'Mobile pin required', 'card.missing-pin'],
  ['38', 'Authentication required', 'card.needs-authentication'],
  ['39', 'RReq not received from DS', 'card.failed-3ds-technical'],
  ['42', '3DS Authentication Error', 'card.failed-3ds-technical'],
  ['46', 'Transaction blocked by Adyen to prevent excessive retry fees', 'gateway.blocked'],
]

export const REFUSAL_CODES: ReadonlyMap<string, ErrorCode> = new Map(REFUSALS.map(([code, , ours]) => [code, ours]))

const CODES_BY_REASON: ReadonlyMap<string, string> = new Map(
  REFUSALS.map(([code, reason]) => [reason.toLowerCase(), code]),
)

/** The reason code of a reason in words, which is all that a notification has; null for words that are not documented. */
export function codeOfReason(reason: string | null): string | null {
  return CODES_BY_REASON.get(reason?.toLowerCase() ?? '') ?? null
}

/**
 * Codes of a request that Adyen refused before doing anything, by `errorCode` of an answer with status 400 or 422.
 * Source: Adyen, "Error codes and messages" (development-resources/error-codes). What is not listed is a validation error.
 */
export const VALIDATION_CODES: ReadonlyMap<string, ErrorCode> = new Map<string, ErrorCode>([
  ['010', 'gateway.not-allowed'],
  ['101', 'card.invalid-account'],
  ['102', 'card.invalid-account'],
  ['103', 'card.failed-cvc'],
  ['129', 'card.invalid-expiry-date'],
  ['137', 'card.invalid-amount'],
  ['138', 'gateway.unsupported-currency'],
  ['140', 'card.invalid-expiry-date'],
  ['141', 'card.invalid-expiry-date'],
  ['153', 'card.failed-cvc'],
  ['167', 'gateway.transaction-not-found'],
  ['901', 'gateway.invalid-merchant'],
  ['905', 'gateway.configuration-error'],
  ['905_1', 'gateway.configuration-error'],
  ['905_3', 'gateway.configuration-error'],
  ['906', 'gateway.transaction-not-found'],
  ['907', 'gateway.unsupported-country-code'],
])

/** The reference is being worked on, or was: what became of it is not told. */
export const ALREADY_PROCESSED = '704'
