import { formatAmount } from '../../domain/money.ts'
import type { CustomerRow } from '../persistence/entities/customer.ts'
import { presentAddress, presentTimestamp } from './values.ts'

/** Without a currency a balance can only be nothing. */
const NO_BALANCE = '0'

/** A customer as merchants see it; what is not expanded is null. */
export function presentCustomer(row: CustomerRow) {
  return {
    id: row.id,
    project_id: row.projectId,
    default_token_id: row.defaultTokenId ?? null,
    default_token: null,
    tokens: null,
    transactions: null,
    email: row.email ?? null,
    first_name: row.firstName ?? null,
    last_name: row.lastName ?? null,
    ...presentAddress(row),
    phone: presentPhone(row),
    phone_number: presentPhoneNumber(row),
    legal_document: row.legalDocument ?? null,
    ip_address: row.ipAddress ?? null,
    sex: row.sex ?? null,
    date_of_birth: presentTimestamp(row.dateOfBirth),
    is_business: row.isBusiness,
    currency: row.currency ?? null,
    balance: row.currency == null ? NO_BALANCE : formatAmount(row.balanceMinor, row.currency),
    metadata: row.metadata,
    reference_id: row.referenceId ?? null,
    registered_at: presentTimestamp(row.registeredAt),
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
    updated_at: presentTimestamp(row.updatedAt),
  }
}

function presentPhone({ phoneNumber, phoneDialingCode }: CustomerRow) {
  if (phoneNumber == null && phoneDialingCode == null) return null
  return { number: phoneNumber ?? null, dialing_code: phoneDialingCode ?? null }
}

/** The whole number in one text, as older clients read it. */
function presentPhoneNumber({ phoneNumber, phoneDialingCode }: CustomerRow) {
  return phoneNumber == null ? null : `${phoneDialingCode ?? ''}${phoneNumber}`
}
