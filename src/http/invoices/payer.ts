import type { ErrorCode } from '../../../domain/errors.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findUsableToken } from '../../persistence/queries/customers/customer-tokens.ts'
import { findCustomer } from '../../persistence/queries/customers/find-customer.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
import { invalidInput } from '../schemas/fields/input.ts'

/**
 * Who is to pay an invoice is one of the project's customers, and a token one of that customer's.
 *
 * @throws ApiError where it is not so.
 */
export async function refuseForeignPayer(
  em: EntityManager,
  scope: Scope,
  { customerId, tokenId }: Pick<InvoiceRow, 'customerId' | 'tokenId'>,
): Promise<void> {
  if (customerId != null && (await findCustomer(em, scope, customerId)) === null)
    throw wrong('customer_id', 'is not a customer of this project', 'resource.customer.not-found')
  if (tokenId == null) return
  if (customerId == null)
    throw wrong('customer_id', 'is missing, whose token_id is given', 'request.validation.missing-customer')
  const token = await findUsableToken(em, scope, tokenId)
  if (token === null) throw wrong('token_id', 'is not a token of this customer', 'resource.token.not-found')
  if (token.customerId !== customerId)
    throw wrong('token_id', 'is a token of another customer', 'request.validation.invalid-relationship')
}

function wrong(name: string, message: string, code: ErrorCode) {
  return invalidInput([{ name, message, code }])
}
