/** What each event says, by its name. */
export const events = {
  transaction: {
    requested: 'A payment was requested; a transaction exists.',
    pending: 'The outcome of the authorization is not known yet.',
    authorized: 'The issuer reserved the money.',
    authorization: {
      incremented: 'The authorized amount was raised.',
      expiring: 'An uncaptured authorization expires in a day.',
    },
    captured: 'A capture was confirmed, of all or of a part.',
    failed: 'The attempt failed; another card may be tried.',
    voided: 'The authorization was released, by the merchant or because it expired.',
    refunded: 'Money was given back, all of it or a part.',
    operation: {
      capture: {
        pending: 'A capture was sent and is not confirmed yet.',
        failed: 'A capture failed; the authorization stands.',
      },
      void: {
        pending: 'A void was sent and is not confirmed yet.',
        failed: 'A void failed; the authorization stands.',
      },
      refund: {
        pending: 'A refund was sent and is not confirmed yet.',
        failed: 'A refund failed, at once or after it had succeeded.',
      },
    },
    chargeback: {
      'retrieval-request': 'The issuer asks for evidence of the payment.',
      'fraud-notification': 'The cardholder reported fraud to the issuer.',
      'inquiry-closed': 'The issuer asks no longer; no money was taken.',
      answered: 'Evidence was handed in at the gateway; the issuer decides.',
      created: 'The issuer takes the money back.',
      won: 'The chargeback was won; the money stays.',
      lost: 'The chargeback was lost; the money is gone.',
    },
  },
  invoice: {
    completed: 'The invoice is paid.',
    pending: 'The payment of the invoice needs time.',
    expired: 'The invoice was not paid in time.',
  },
  customer: {
    created: 'A customer was created.',
    updated: 'A customer was changed.',
    deleted: 'A customer was deleted.',
    token: {
      created: 'A payment source was stored for a customer.',
      updated: 'A stored payment source was changed, or its verification ended.',
      deleted: 'A stored payment source was deleted.',
    },
  },
  card: {
    updated: 'A card was changed.',
    expires_soon: 'The card of a stored payment source expires this month or the next.',
  },
  reconciliation: {
    'differences-found': 'Our books and those of a gateway do not agree.',
  },
  'webhook-endpoint': {
    test: 'A test of a webhook endpoint.',
    disabled: 'A webhook endpoint was switched off, because it accepted nothing.',
  },
} as const
