import type { InvalidField } from './errors.ts'
import type * as wire from './generated/objects.ts'
import type { Invoice, Transaction } from './resources.ts'

/** The body of any answer of the service; what is not there is null. Fields that are not known are passed over. */
export interface Answer {
  success: boolean
  outcome: string | null
  error_type: string | null
  message: string | null
  request_id: string | null
  invalid_fields: readonly InvalidField[]
  customer_token_id: string | null
  customer_action: { type: string; value: string } | null
  transaction: Transaction | null
  invoice: Invoice | null
}

type Fields = Readonly<Record<string, unknown>>

/** An object of the interface before it is looked at: a later version, or somebody else, may send any value. */
type Unread<Shape> = { readonly [Name in keyof Shape]?: unknown }

type Body = Unread<Omit<wire.PaymentAnswer, 'success'> & wire.Refusal & { success: boolean; invoice: wire.Invoice }>

/** Null if the text is no answer of the service, such as the page with which a hotel's network greets its guests. */
export function readAnswer(text: string): Answer | null {
  const body: Body | null = readFields(text)
  if (body === null || typeof body.success !== 'boolean') return null
  const action = fieldsIn<wire.CustomerAction>(body.customer_action)
  const actionValue = textIn(action?.value)
  const actionType = textIn(action?.type)
  return {
    success: body.success,
    outcome: textIn(body.outcome),
    error_type: textIn(body.error_type),
    message: textIn(body.message),
    request_id: textIn(body.request_id),
    invalid_fields: invalidFieldsIn(body.invalid_fields),
    customer_token_id: textIn(body.customer_token_id),
    customer_action: actionType === null ? null : { type: actionType, value: actionValue ?? '' },
    transaction: transactionIn(body.transaction),
    invoice: invoiceIn(body.invoice),
  }
}

/** The object of a JSON text; null if it is none. */
export function readFields(text: string): Fields | null {
  try {
    return fieldsIn<Fields>(JSON.parse(text))
  } catch {
    return null
  }
}

export function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function fieldsIn<Shape>(value: unknown): Unread<Shape> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Unread<Shape>) : null
}

function invalidFieldsIn(value: unknown): InvalidField[] {
  if (!Array.isArray(value)) return []
  return value
    .map((field) => fieldsIn<wire.InvalidField>(field))
    .map((field) => ({ name: textIn(field?.name) ?? '', message: textIn(field?.message) ?? '' }))
}

function transactionIn(value: unknown): Transaction | null {
  const fields = fieldsIn<wire.Transaction>(value)
  const id = textIn(fields?.id)
  const status = textIn(fields?.status)
  if (fields === null || id === null || status === null) return null
  return {
    id,
    status,
    amount: textIn(fields.amount),
    authorizedAmount: textIn(fields.authorized_amount),
    capturedAmount: textIn(fields.captured_amount),
    currency: textIn(fields.currency),
    errorCode: textIn(fields.error_code),
  }
}

function invoiceIn(value: unknown): Invoice | null {
  const fields = fieldsIn<wire.Invoice>(value)
  const id = textIn(fields?.id)
  const status = textIn(fields?.status)
  if (fields === null || id === null || status === null) return null
  return {
    id,
    name: textIn(fields.name),
    amount: textIn(fields.amount),
    currency: textIn(fields.currency),
    status,
    returnUrl: textIn(fields.return_url),
    channel: textIn(fieldsIn<wire.Device>(fields.device)?.channel),
    transaction: transactionIn(fields.transaction),
  }
}
