import type { Way } from './shop.ts'

/** Where no place is left at the gateway, or its circuit is open, a payment fails for certain. */
const GATEWAY_CLOSED = 410

/** A card is charged when the order is sent: the money is reserved. */
export const AUTHORIZE: Way = {
  requestsOf: ({ invoiceId, source }) => [
    {
      method: 'POST',
      path: `/invoices/${invoiceId}/authorize`,
      body: { source },
      keep: { status: 'transaction.status' },
    },
  ],
  toldOf: ({ statuses: [status], kept }) => {
    if (status === GATEWAY_CLOSED) return 'failed'
    return status === 200 && kept.status === 'authorized' ? 'approved' : 'unknown'
  },
  wanted: 'approved',
}

/** The money is reserved, and taken as soon as that is answered. */
export const AUTHORIZE_AND_CAPTURE: Way = {
  requestsOf: (order) => [
    ...AUTHORIZE.requestsOf(order),
    {
      method: 'POST',
      path: `/invoices/${order.invoiceId}/capture`,
      body: {},
      keep: { captured: 'transaction.status' },
    },
  ],
  toldOf: (result) =>
    result.statuses[1] === 200 && result.kept.captured === 'completed' ? 'captured' : AUTHORIZE.toldOf(result),
  wanted: 'captured',
}
