/** Statuses and codes of the interface. */
export const status = {
  payment: {
    waiting: {
      words: 'Waiting',
      meaning: 'The gateway is being asked, or the customer authenticates.',
    },
    pending: {
      words: 'Pending',
      meaning: 'The outcome of the authorization is not known yet.',
    },
    authorized: {
      words: 'Authorized',
      meaning: 'The money is reserved, and not captured yet.',
    },
    'pending-capture': {
      words: 'Capture pending',
      meaning: 'The capture is not confirmed yet.',
    },
    completed: {
      words: 'Captured',
      meaning: 'The money was captured, all of it or a part.',
    },
    failed: {
      words: 'Failed',
      meaning: 'It was declined; another card may be tried.',
    },
    voided: {
      words: 'Voided',
      meaning: 'The reserved money was released.',
    },
    'partially-refunded': {
      words: 'Partly refunded',
      meaning: 'A part was refunded.',
    },
    refunded: {
      words: 'Refunded',
      meaning: 'The payment was refunded in full.',
    },
    'in-review': {
      words: 'In review',
      meaning: 'It is under review.',
    },
    blocked: {
      words: 'Blocked',
      meaning: 'One of your routing rules has refused it.',
    },
    'retrieval-request': {
      words: 'Evidence requested',
      meaning: 'The issuer asks for evidence of it.',
    },
    'fraud-notification': {
      words: 'Fraud reported',
      meaning: 'The cardholder reported fraud to the issuer.',
    },
    'chargeback-initiated': {
      words: 'Chargeback',
      meaning: 'The issuer takes the money back.',
    },
    solved: {
      words: 'Chargeback won',
      meaning: 'The chargeback was won; the money stays.',
    },
    reversed: {
      words: 'Chargeback lost',
      meaning: 'The chargeback was lost; the money is gone.',
    },
  },
  partlyCaptured: {
    words: 'Partly captured',
    meaning: 'A part of what was authorized was captured.',
  },
  webhook: {
    pending: 'On its way',
    retrying: 'Retrying',
    delivered: 'Delivered',
    failed: 'Given up',
    tries: '{tries, number} of {most, number} tries failed',
    triesAgain: '{tries, number} of {most, number} tries failed since it was sent again',
  },
  failure: {
    http_status: 'The answer was no success',
    redirect: 'The answer was a redirect, which is not followed',
    timeout: 'No answer within 10 seconds',
    connection_failed: 'No connection',
    tls_failed: 'The certificate cannot be trusted',
    invalid_response: 'The answer was not HTTP',
    dns_lookup_failed: 'The name has no address',
    forbidden_target: 'The address is not public, so nothing was sent',
    https_required: 'Live webhooks go to https only, so nothing was sent',
    invalid_url: 'The address cannot be used, so nothing was sent',
    endpoint_disabled: 'The endpoint is switched off, so nothing was sent',
    endpoint_deleted: 'The endpoint was deleted, so nothing more is sent',
  },
  disabled: {
    merchant: 'Switched off here.',
    gone: 'Switched off by us: it has answered “410 Gone” three times in a row.',
    failing: 'Switched off by us: it has accepted nothing for five days.',
  },
  cardType: {
    credit: 'Credit',
    debit: 'Debit',
    prepaid: 'Prepaid',
  },
  refund: {
    customer_request: 'Requested by the customer',
    duplicate: 'Paid twice',
    fraud: 'Fraud',
    other: 'Another reason',
  },
  role: {
    owner: {
      words: 'Owner',
      meaning: 'May do everything, people and live API keys included.',
    },
    developer: {
      words: 'Developer',
      meaning: 'Takes and refunds payments, sets up webhooks, routing and gateways, and makes sandbox API keys.',
    },
    support: {
      words: 'Support',
      meaning: 'Sees everything and changes nothing.',
    },
  },
  permission: {
    read: {
      words: 'Read',
      meaning: 'See payments, customers, events and settings.',
    },
    payments: {
      words: 'Payments',
      meaning: 'Create, authorize, capture and void payments.',
    },
    refunds: {
      words: 'Refunds',
      meaning: 'Refund payments.',
    },
    configuration: {
      words: 'Configuration',
      meaning: 'Change gateways and routing rules, and resolve differences of the books.',
    },
    webhooks: {
      words: 'Webhooks',
      meaning: 'Change endpoints, and send events again.',
    },
  },
} as const
