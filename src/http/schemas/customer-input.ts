import type { z } from 'zod'
import { isCurrency, parseAmount } from '../../../domain/money.ts'
import type { CustomerRow } from '../../persistence/entities/customer.ts'
import type { Fields, ParsedBody } from '../middleware/body.ts'
import { CUSTOMER_CODES, customerFields } from './customer-fields.ts'
import { optionalText } from './fields/fields.ts'
import { givenFields } from './fields/given.ts'
import { isIdentifier } from './fields/identifier.ts'
import { defineInput, type Problem, readInput } from './fields/input.ts'

export const NEW_CUSTOMER = defineInput(customerFields, CUSTOMER_CODES)

export const CUSTOMER_CHANGES = defineInput(
  (scalars) => ({
    ...customerFields(scalars),
    default_token_id: optionalText(80, {
      holds: (value) => isIdentifier('token', value),
      message: 'is not a token of this customer',
      code: 'resource.token.not-found',
    }),
  }),
  CUSTOMER_CODES,
)

/** The columns that a request gives a value. */
export type CustomerColumns = Partial<Omit<CustomerRow, 'id' | 'projectId' | 'sandbox'>>

/** A new customer; every field may be absent. */
export function readNewCustomer(body: ParsedBody): CustomerColumns {
  const input = readInput(NEW_CUSTOMER, body, (fields) => balanceProblems(fields, null))
  return columnsOf(givenFields(input, body), null)
}

export const ASSIGNED_CUSTOMER = defineInput(
  (scalars) => ({
    ...customerFields(scalars),
    customer_id: optionalText(80, {
      holds: (value) => isIdentifier('customer', value),
      message: 'is not a customer of this project',
      code: 'resource.customer.not-found',
    }),
  }),
  CUSTOMER_CODES,
)

/** A customer for an invoice: one that is named, or a new one. */
export function readAssignedCustomer(body: ParsedBody): { customerId: string | null; columns: CustomerColumns } {
  const input = readInput(ASSIGNED_CUSTOMER, body, (fields) => [
    ...balanceProblems(fields, null),
    ...nameAndFieldsProblems(fields),
  ])
  const { customer_id: customerId, ...fields } = input
  return { customerId, columns: customerId === null ? columnsOf(givenFields(fields, body), null) : {} }
}

/** A customer that is there is changed at its own address. */
function nameAndFieldsProblems({ customer_id: id, ...others }: Fields): Problem[] {
  const [name] = Object.entries(others).find(([, value]) => value !== '') ?? []
  if (!id || name === undefined) return []
  return [{ name, message: 'cannot be combined with customer_id', code: 'request.validation.error' }]
}

/** What a request changes of a customer. The currency is set once. */
export function readCustomerChanges(
  body: ParsedBody,
  { currency = null }: Pick<CustomerRow, 'currency'>,
): CustomerColumns {
  const input = readInput(CUSTOMER_CHANGES, body, (fields) => [
    ...currencyProblems(fields, currency),
    ...balanceProblems(fields, currency),
  ])
  const { default_token_id: defaultTokenId, ...given } = givenFields(input, body)
  return { ...columnsOf(given, currency), ...(defaultTokenId === undefined ? {} : { defaultTokenId }) }
}

type Input = z.output<z.ZodObject<ReturnType<typeof customerFields>>>

function columnsOf(given: Partial<Input>, currency: string | null): CustomerColumns {
  const columns = {
    email: given.email,
    firstName: given.first_name,
    lastName: given.last_name,
    address1: given.address1,
    address2: given.address2,
    city: given.city,
    state: given.state,
    zip: given.zip,
    countryCode: given.country_code,
    ...phoneColumns(given),
    legalDocument: given.legal_document,
    ipAddress: given.ip_address,
    sex: given.sex,
    dateOfBirth: given.date_of_birth,
    isBusiness: given.is_business,
    currency: given.currency,
    balanceMinor: balanceMinorOf(given.balance, given.currency ?? currency),
    metadata: given.metadata,
    referenceId: given.reference_id,
    registeredAt: given.registered_at,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as CustomerColumns
}

/** A number in one piece replaces one in two, unless both come. */
function phoneColumns({ phone, phone_number: whole }: Partial<Input>): CustomerColumns {
  if (phone !== undefined) return { phoneNumber: phone.number, phoneDialingCode: phone.dialing_code }
  return whole === undefined ? {} : { phoneNumber: whole, phoneDialingCode: null }
}

function balanceMinorOf(text: string | undefined, currency: string | null): number | undefined {
  if (text === undefined || currency === null) return undefined
  const amountMinor = parseAmount(text.replace(/^-/, ''), currency)
  if (amountMinor === null) return undefined
  return text.startsWith('-') && amountMinor !== 0 ? -amountMinor : amountMinor
}

function balanceProblems({ balance, currency }: Fields, fixed: string | null): Problem[] {
  if (typeof balance !== 'string') return []
  const wrong = (message: string, code: Problem['code'] = 'request.validation.invalid-amount'): Problem[] => [
    { name: 'balance', message, code },
  ]
  const wanted = typeof currency === 'string' ? currency.toUpperCase() : fixed
  const isNothing = /^-?0+(?:\.0+)?$/.test(balance)
  if (wanted === null) return isNothing ? [] : wrong('needs a currency', 'request.validation.missing-currency')
  if (!isCurrency(wanted) || balanceMinorOf(balance, wanted) !== undefined) return []
  return wrong(`must be a decimal number in the digits of ${wanted}, such as "29.00" or "-29.00"`)
}

function currencyProblems({ currency }: Fields, fixed: string | null): Problem[] {
  if (typeof currency !== 'string' || fixed === null || currency.toUpperCase() === fixed) return []
  return [
    {
      name: 'currency',
      message: `cannot be changed any more; it is ${fixed}`,
      code: 'request.validation.invalid-currency',
    },
  ]
}
