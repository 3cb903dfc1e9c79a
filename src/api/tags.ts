/** The sections of the reference, in their order. */
export const TAGS = {
  Invoices: 'What customers are asked to pay.',
  Payments: 'Authorize, capture, raise, release and refund. Each works on the one payment of an invoice.',
  Transactions: 'What became of payments: transactions, their refunds and disputes.',
  Cards: 'Cards as they were entered, without their numbers.',
  Customers: 'Customers, and who pays an invoice.',
  Tokens: 'Payment sources that are stored for customers.',
  Events: 'What has changed, and how it was delivered.',
  'Webhook endpoints': 'The addresses that are sent your events.',
  'Gateway configurations': 'Your accounts at gateways.',
  Books: 'Our books compared with those of your gateways.',
  'Routing rules': 'Which gateway takes which payment.',
  'Request log': 'What you have asked, and what came of it.',
  Service: 'The interface itself. Needs no key.',
} as const
