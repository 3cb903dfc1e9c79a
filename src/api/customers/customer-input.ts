import type { z } from 'zod'
import { isCurrency, parseAmount } from '../../../domain/money.ts'
import { columnsOf } from '../../http/input/columns.ts'
import { defineInput, givenFields, type Problem, problem, readInput } from '../../http/input/input.ts'
import type { Fields, ParsedBody } from '../../http/middleware/body.ts'
import { customerInput } from '../../objects/customer.ts'
import { optionalId } from '../../objects/taken.ts'
import type { CustomerRow } from '../../persistence/entities/customer.ts'

export const NEW_CUSTOMER = defineInput(customerInput)

export const CUSTOMER_CHANGES = defineInput((scalars) => ({
  ...customerInput(scalars),
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
  ...customerInput(scalars),
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

type Input = z.output<z.ZodObject<ReturnType<typeof customerInput>>>

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
