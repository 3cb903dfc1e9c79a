import { BOOK_OPERATIONS } from './books.ts'
import { INVOICE_OPERATIONS } from './invoices.ts'
import { LIST_OPERATIONS } from './lists.ts'
import type { Operation } from './operation.ts'
import { PAYMENT_OPERATIONS } from './payments.ts'
import { SETTING_OPERATIONS } from './settings.ts'
import { SOURCE_OPERATIONS } from './sources.ts'
import { WEBHOOK_OPERATIONS } from './webhooks.ts'

/** Every operation by method and address, as the router has them: `POST /invoices/:id/capture`. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...INVOICE_OPERATIONS,
  ...PAYMENT_OPERATIONS,
  ...SOURCE_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...SETTING_OPERATIONS,
  ...BOOK_OPERATIONS,
  ...LIST_OPERATIONS,
}
