import type { Caller } from '../../http/context.ts'
import { amountProblems } from '../../http/input/amount.ts'
import { instantProblems, type Problem, problem } from '../../http/input/input.ts'
import { webhookTargetProblems } from '../../http/input/webhook-target.ts'
import type { Fields } from '../../http/middleware/body.ts'
import { MOBILE_RETURN_URLS } from '../../objects/addresses.ts'
import { currencyCode, isTrue } from '../../objects/taken.ts'
import type { TargetRule } from '../../webhooks/target-problem.ts'
import { detailProblems } from './invoice-detail-input.ts'

/** The given fields, and the resulting invoice; the same for a new invoice. */
export interface JudgedInvoice {
  given: Fields
  whole: Fields
}

/** The facts, besides the fields, that decide whether an invoice is valid. */
export interface Circumstances {
  caller: Caller
  now: Date
  /** The allowed targets of webhooks. */
  targetRule: TargetRule
}

/** The problems of an invoice across fields, or by time or caller. */
export function invoiceProblems(
  { given, whole }: JudgedInvoice,
  { caller, now, targetRule }: Circumstances,
): Problem[] {
  const inCurrency = currencyCode.safeParse(whole.currency).data ?? null
  return [
    ...amountProblems(whole, 'amount', inCurrency, { allowsZero: isTrue(whole.verification) }),
    ...detailProblems(given, inCurrency),
    ...groupAmountProblems(given, inCurrency),
    // The invoice may be paid much later, so the end of its authorization is unknown.
    ...instantProblems(given, 'auto_capture_at', { after: now }),
    ...instantProblems(given, 'expires_at', { after: now }),
    ...exemptionProblems(given),
    ...initiationProblems(whole),
    ...mobileReturnProblems(whole),
    ...webhookTargetProblems(given, 'webhook_url', caller, targetRule),
  ]
}

function groupAmountProblems({ shipping, tax }: Fields, inCurrency: string | null): Problem[] {
  return [
    ...amountProblems(fieldsIn(shipping), 'amount', inCurrency, { allowsZero: true, label: 'shipping.amount' }),
    ...amountProblems(fieldsIn(tax), 'amount', inCurrency, {
      allowsZero: true,
      label: 'tax.amount',
      code: 'request.validation.invalid-tax-amount',
    }),
  ]
}

function fieldsIn(group: unknown): Fields {
  return typeof group === 'object' && group !== null ? (group as Fields) : {}
}

/** Two names of one field. */
function exemptionProblems({ exemption_reason_3ds2: former, sca_exemption_reason: latter }: Fields): Problem[] {
  if (!former || !latter || former === latter) return []
  const message = 'differs from exemption_reason_3ds2, which is another name for it'
  return [problem('sca_exemption_reason', message, 'request.validation.invalid-exemption-reason')]
}

/** A kind of merchant initiation implies that the merchant initiates. */
function initiationProblems({ merchant_initiator_type: kind, initiation_type: type }: Fields): Problem[] {
  if (!kind || typeof type !== 'string' || type.toLowerCase() !== 'cit') return []
  return [problem('initiation_type', 'cannot be cit where merchant_initiator_type says that the merchant initiates')]
}

/** The app gets control back by this address; one that opens no app would leave the customer in the browser. */
function mobileReturnProblems({ device, return_url: url }: Fields): Problem[] {
  const { channel } = fieldsIn(device)
  if ((channel !== 'android' && channel !== 'ios') || typeof url !== 'string' || url === '') return []
  const { holds, form } = MOBILE_RETURN_URLS[channel]
  if (holds(url)) return []
  const message = `must have the form ${form} for the channel ${channel}`
  return [problem('return_url', message, 'request.validation.invalid-url')]
}
