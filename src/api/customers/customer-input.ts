import { z } from 'zod'
import { isCurrency, parseAmount } from '../../../domain/money.ts'
import { columnsOf } from '../../http/input/columns.ts'
import { defineInput, givenFields, type Problem, problem, readInput } from '../../http/input/input.ts'
import { calendarDate } from '../../http/input/instant.ts'
import type { Fields, ParsedBody } from '../../http/middleware/body.ts'
import { emailAddress, ipAddress, personName, phone, phoneText, postalAddress } from '../../objects/contacts.ts'
import { SEXES } from '../../objects/customer.ts'
import {
  coded,
  expecting,
  metadata,
  optionalId,
  optionalText,
  optionalWord,
  referenceId,
  type Scalars,
  withoutEffect,
} from '../../objects/taken.ts'
import type { CustomerRow } from '../../persistence/entities/customer.ts'
import { currency } from '../invoices/invoice-fields.ts'

/** Source: ProcessOut's reference, fields of a customer. */
const LEGAL_DOCUMENT_LENGTH_MAX = 255

/** All fields of a customer, for JSON and forms. None is required. */
const customerFields = ({ flag }: Scalars) => ({
  email: emailAddress,
  first_name: personName,
  last_name: personName,
  ...postalAddress,
  phone: phone.optional(),
  phone_number: phoneText,
  legal_document: optionalText(LEGAL_DOCUMENT_LENGTH_MAX, { invalid: 'request.validation.invalid-legal-document' }),
  ip_address: ipAddress,
  sex: optionalWord(SEXES, 'request.validation.invalid-sex'),
  date_of_birth: calendarDate.optional(),
  is_business: flag.optional(),
  currency: currency.optional(),
  // Negative if the customer owes: the only amount of the API with a sign.
  balance: coded(z.string(expecting('a decimal number as a text, such as "29.00" or "-29.00"')), {
    invalid: 'request.validation.invalid-amount',
  }).optional(),
  metadata,
  reference_id: referenceId('request.validation.invalid-id'),
  registered_at: calendarDate.optional(),
  company_name: withoutEffect,
})

export const NEW_CUSTOMER = defineInput(customerFields)

export const CUSTOMER_CHANGES = defineInput((scalars) => ({
  ...customerFields(scalars),
  default_token_id: optionalId('token', 'is not a token of this customer', 'resource.token.not-found'),
}))

/** The columns with a value in the request. */
export type CustomerColumns = Partial<Omit<CustomerRow, 'id' | 'projectId' | 'sandbox'>>

/** A new customer; every field may be absent. */
export function readNewCustomer(body: ParsedBody): CustomerColumns {
  const input = readInput(NEW_CUSTOMER, body, (fields) => balanceProblems(fields, null))
  return customerColumns(givenFields(input, body), null)
}

export const ASSIGNED_CUSTOMER = defineInput((scalars) => ({
  ...customerFields(scalars),
  customer_id: optionalId('customer', 'is not a customer of this project', 'resource.customer.not-found').describe(
    'A customer that is there; without it a new one is made of the other fields.',
  ),
}))

/** The customer of an invoice: an existing one, or a new one. */
export function readAssignedCustomer(body: ParsedBody): { customerId: string | null; columns: CustomerColumns } {
  const input = readInput(ASSIGNED_CUSTOMER, body, (fields) => [
    ...balanceProblems(fields, null),
    ...nameAndFieldsProblems(fields),
  ])
  const { customer_id: customerId, ...fields } = input
  return { customerId, columns: customerId === null ? customerColumns(givenFields(fields, body), null) : {} }
}

/** An existing customer is changed at its own address. */
function nameAndFieldsProblems({ customer_id: id, ...others }: Fields): Problem[] {
  const [name] = Object.entries(others).find(([, value]) => value !== '') ?? []
  if (!id || name === undefined) return []
  return [problem(name, 'cannot be combined with customer_id')]
}

/** The changes of a customer. The currency can be set only once. */
export function readCustomerChanges(
  body: ParsedBody,
  { currency = null }: Pick<CustomerRow, 'currency'>,
): CustomerColumns {
  const input = readInput(CUSTOMER_CHANGES, body, (fields) => [
    ...currencyProblems(fields, currency),
    ...balanceProblems(fields, currency),
  ])
  const { default_token_id: defaultTokenId, ...given } = givenFields(input, body)
  return { ...customerColumns(given, currency), ...(defaultTokenId === undefined ? {} : { defaultTokenId }) }
}

type Input = z.output<z.ZodObject<ReturnType<typeof customerFields>>>

function customerColumns(given: Partial<Input>, currency: string | null): CustomerColumns {
  const { phone, phone_number: whole, balance, company_name: _, ...others } = given
  // A number in one text replaces one with a dialing code, unless both are given.
  const number = phone ?? (whole === undefined ? undefined : { number: whole, dialing_code: null })
  const balanceMinor = balanceMinorOf(balance, given.currency ?? currency)
  return {
    ...columnsOf(others),
    ...(number && { phoneNumber: number.number, phoneDialingCode: number.dialing_code }),
    ...(balanceMinor !== undefined && { balanceMinor }),
  }
}

function balanceMinorOf(text: string | undefined, currency: string | null): number | undefined {
  if (text === undefined || currency === null) return undefined
  const amountMinor = parseAmount(text.replace(/^-/, ''), currency)
  if (amountMinor === null) return undefined
  return text.startsWith('-') && amountMinor !== 0 ? -amountMinor : amountMinor
}

function balanceProblems({ balance, currency }: Fields, fixed: string | null): Problem[] {
  if (typeof balance !== 'string') return []
  const wrong = (message: string, code: Problem['code'] = 'request.validation.invalid-amount') => [
    problem('balance', message, code),
  ]
  const wanted = typeof currency === 'string' ? currency.toUpperCase() : fixed
  const isNothing = /^-?0+(?:\.0+)?$/.test(balance)
  if (wanted === null) return isNothing ? [] : wrong('needs a currency', 'request.validation.missing-currency')
  if (!isCurrency(wanted) || balanceMinorOf(balance, wanted) !== undefined) return []
  return wrong(`must be a decimal number in the digits of ${wanted}, such as "29.00" or "-29.00"`)
}

function currencyProblems({ currency }: Fields, fixed: string | null): Problem[] {
  if (typeof currency !== 'string' || fixed === null || currency.toUpperCase() === fixed) return []
  return [problem('currency', `cannot be changed any more; it is ${fixed}`, 'request.validation.invalid-currency')]
}
