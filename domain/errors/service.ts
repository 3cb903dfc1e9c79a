import { type ErrorEntry, never, otherGateway, refusal } from './entry.ts'

/** What concerns the payment as a whole, or this service itself. */
export const SERVICE_ERRORS = {
  'payment.declined': otherGateway('The payment was declined.', 'Ask the customer for another way to pay.'),
  'routing-rules.transaction-blocked': never(
    'A routing rule of the project blocks the payment.',
    'Look at the routing rules if this payment should have passed.',
  ),
  'sandbox.not-supported': refusal(400)(
    'The sandbox accepts its documented test cards only.',
    'Use a test card, or the live environment.',
  ),
  'server.internal-error': refusal(500)(
    'Something went wrong on our side; the request id names this case.',
    'Retrieve the transaction before you repeat a payment, and report the request id.',
  ),
  'server.unavailable': refusal(503)(
    'The service cannot do its work right now.',
    'Send it again after the time that the header Retry-After names.',
  ),
  'service.not-supported': refusal(400)(
    'This is not supported.',
    'Leave out the field or the value that the answer names.',
  ),
} as const satisfies Record<string, ErrorEntry>
