import { CARDS } from './wrong-fields/cards.ts'
import type { Case } from './wrong-fields/case.ts'
import { EVERYWHERE } from './wrong-fields/everywhere.ts'
import { INVOICE_PARTS } from './wrong-fields/invoice-parts.ts'
import { INVOICES } from './wrong-fields/invoices.ts'
import { PAYMENTS, REFUNDS } from './wrong-fields/payments.ts'

/** Everything that a field of a request can be wrong in. */
export const WRONG_FIELDS: readonly Case[] = [
  ...INVOICES,
  ...INVOICE_PARTS,
  ...CARDS,
  ...PAYMENTS,
  ...REFUNDS,
  ...EVERYWHERE,
]
