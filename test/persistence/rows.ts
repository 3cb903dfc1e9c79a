import { makeCustomerRows } from './rows/customers.ts'
import { makeEventRows } from './rows/events.ts'
import { makeInvoiceRows } from './rows/invoices.ts'
import { makePaymentRows } from './rows/payments.ts'
import { makeReconciliationRows } from './rows/reconciliations.ts'
import { makeRoutingRows } from './rows/routing.ts'
import { makeSettingRows } from './rows/settings.ts'

/** Rows with every column filled, so that a reading test notices any that is lost. `seed` keeps ids apart. */
export function makeRows(seed: string) {
  return {
    ...makeSettingRows(seed),
    ...makeRoutingRows(seed),
    ...makeInvoiceRows(seed),
    ...makeCustomerRows(seed),
    ...makePaymentRows(seed),
    ...makeEventRows(seed),
    ...makeReconciliationRows(seed),
  }
}

export type Rows = ReturnType<typeof makeRows>
