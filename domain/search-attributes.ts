/**
 * The attributes by which support staff can search payments and webhooks: ids, statuses and amounts only, no personal data,
 * because Temporal stores them unencrypted. SQL visibility has a fixed number of columns per type, which limits the list.
 */
export const SEARCH_ATTRIBUTES = {
  projectId: { name: 'ProjectId', type: 'KEYWORD' },
  paymentId: { name: 'PaymentId', type: 'KEYWORD' },
  paymentStatus: { name: 'PaymentStatus', type: 'KEYWORD' },
  orderReference: { name: 'OrderReference', type: 'KEYWORD' },
  gatewayName: { name: 'GatewayName', type: 'KEYWORD' },
  currency: { name: 'Currency', type: 'KEYWORD' },
  eventType: { name: 'EventType', type: 'KEYWORD' },
  deliveryStatus: { name: 'DeliveryStatus', type: 'KEYWORD' },
  environment: { name: 'Environment', type: 'KEYWORD' },
  amountMinor: { name: 'AmountMinor', type: 'INT' },
  authorizationExpiresAt: { name: 'AuthorizationExpiresAt', type: 'DATETIME' },
} as const
