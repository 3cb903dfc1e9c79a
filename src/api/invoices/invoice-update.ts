import { z } from 'zod'
import { amountMinorOf } from '../../http/input/amount.ts'
import { defineInput, type Problem, problem, readInput, withoutNulls } from '../../http/input/input.ts'
import type { Fields, ParsedBody } from '../../http/middleware/body.ts'
import { columnName } from '../../objects/columns.ts'
import { instant } from '../../objects/instants.ts'
import { INVOICE_CODES, invoiceInput, presentInvoice } from '../../objects/invoice.ts'
import { amountText, currencyCode, endedProblem, type Scalars } from '../../objects/taken.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../../persistence/entities/invoice-detail.ts'
import { type DetailColumns, detailColumns } from './invoice-detail-input.ts'
import { groupColumns, initiationTypeOf, textColumns } from './invoice-input.ts'
import { type Circumstances, invoiceProblems } from './invoice-problems.ts'

/** An empty text clears an instant, like any other value. */
const clearableInstant = z.preprocess((value) => (value === '' ? undefined : value), instant.optional())

export const UPDATE = defineInput((scalars: Scalars) => {
  const fields = invoiceInput(scalars)
  return {
    ...fields,
    name: fields.name.optional(),
    amount: amountText.optional(),
    currency: currencyCode.optional(),
    auto_capture_at: clearableInstant,
    expires_at: clearableInstant,
  }
}, INVOICE_CODES)

type Columns = ReturnType<typeof textColumns> &
  ReturnType<typeof groupColumns> &
  Pick<InvoiceRow, 'name' | 'amountMinor' | 'currency'>

/** The columns that a field sets; any other field sets the column of its own name. */
const COLUMNS_OF: Readonly<Record<string, readonly (keyof Columns)[]>> = {
  amount: ['amountMinor'],
  device: ['deviceChannel', 'device'],
  merchant_initiator_type: ['merchantInitiatorType', 'initiationType'],
  sca_exemption_reason: ['exemptionReason3ds2'],
  unsupported_feature_bypass: ['bypassIncrementalAuthorization'],
  // An invoice with a new expiry can expire anew.
  expires_at: ['expiresAt', 'awaitsExpiry', 'expiredAt'],
}

export interface InvoiceChange {
  /** The columns that the request sets. */
  invoice: Partial<Columns>
  /** All lines, if the request replaces them; otherwise null. */
  details: DetailColumns[] | null
}

/**
 * The changes of an invoice. An absent or null field stays; an empty text, object or list clears the value; a group and the
 * lines are replaced as a whole.
 *
 * @throws ApiError for an invalid request or resulting invoice.
 */
export function readInvoiceUpdate(
  body: ParsedBody,
  row: InvoiceRow,
  details: readonly InvoiceDetailRow[],
  circumstances: Circumstances,
): InvoiceChange {
  const input = readInput(UPDATE, body, (given) => [
    ...invoiceProblems({ given, whole: { ...presentedFields(row), ...given } }, circumstances),
    ...currencyProblems(given, row, details),
  ])
  const given = withoutNulls(body.fields)
  const inCurrency = input.currency ?? row.currency
  const initiator =
    given.merchant_initiator_type === undefined ? row.merchantInitiatorType : input.merchant_initiator_type
  const all: Columns = {
    ...textColumns(input),
    initiationType: initiationTypeOf(input.initiation_type, initiator),
    ...groupColumns(input, inCurrency),
    name: input.name ?? row.name,
    currency: inCurrency,
    amountMinor: input.amount === undefined ? row.amountMinor : amountMinorOf(input.amount, inCurrency),
  }
  const decided: string[] = Object.keys(given).flatMap((field) => COLUMNS_OF[field] ?? columnName(field))
  return {
    invoice: Object.fromEntries(Object.entries(all).filter(([column]) => decided.includes(column))) as Partial<Columns>,
    details: input.details?.map((detail) => detailColumns(detail, inCurrency)) ?? null,
  }
}

/** The invoice's fields that other fields are checked against. */
function presentedFields(row: InvoiceRow): Fields {
  const { amount, currency, verification, device, return_url, merchant_initiator_type } = presentInvoice(row, null)
  return { amount, currency, verification, device, return_url, merchant_initiator_type }
}

/** Amounts never carry over to another currency: with a new currency all amounts must be given again. */
function currencyProblems(given: Fields, row: InvoiceRow, details: readonly InvoiceDetailRow[]): Problem[] {
  const next = currencyCode.safeParse(given.currency).data ?? row.currency
  if (next === row.currency) return []
  const ended = endedProblem(next)
  if (ended !== null) return [problem('currency', ended, 'request.validation.invalid-currency')]
  const kept = {
    amount: row.amountMinor > 0,
    details: details.length > 0,
    shipping: row.shipping?.amountMinor != null,
    tax: row.tax?.amountMinor != null,
  }
  return Object.entries(kept)
    .filter(([name, hasAmount]) => hasAmount && given[name] === undefined)
    .map(([name]) => problem(name, 'must be given anew with another currency', 'request.validation.invalid-amount'))
}
