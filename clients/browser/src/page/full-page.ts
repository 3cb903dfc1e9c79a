import { deferred } from '../deferred.ts'
import type { ActionEnd } from '../payment/flow.ts'

/**
 * Sends the whole window to the bank's page, from which the customer comes back to the invoice's `return_url`. Ends only
 * where the customer comes back by the browser's button and finds this page as it was left.
 */
export function goToFullPage(value: string): Promise<ActionEnd> {
  const { promise, resolve } = deferred<ActionEnd>()
  addEventListener('pageshow', function listen(event) {
    if (!event.persisted) return
    removeEventListener('pageshow', listen)
    resolve({ kind: 'canceled' })
  })
  location.assign(value)
  return promise
}
