import { NO_FALLBACK } from '../../../domain/routing/rule.ts'
import { installedGateway } from '../../gateways/installed.ts'
import { exampleId } from '../../http/openapi/example-id.ts'
import { presentApiRequest, presentListedApiRequest } from '../../objects/api-request.ts'
import { presentGatewayConfiguration } from '../../objects/gateway-configuration.ts'
import { presentProject } from '../../objects/project.ts'
import { presentRoutingExplanation } from '../../objects/routing-explanation.ts'
import { presentListedRuleSet, presentRuleSet } from '../../objects/rule-set.ts'
import { presentWebhookDelivery } from '../../objects/webhook-delivery.ts'
import { presentWebhookEndpoint } from '../../objects/webhook-endpoint.ts'
import type { ApiRequestRow } from '../../persistence/entities/api-request.ts'
import type { DeliveryRow } from '../../persistence/entities/delivery.ts'
import type { DeliveryAttemptRow } from '../../persistence/entities/delivery-attempt.ts'
import type { GatewayConfigurationRow } from '../../persistence/entities/gateway-configuration.ts'
import type { ProjectRow } from '../../persistence/entities/project.ts'
import type { RuleSetRow } from '../../persistence/entities/rule-set.ts'
import type { WebhookEndpointRow } from '../../persistence/entities/webhook-endpoint.ts'
import { printCondition } from '../../routing/print-rules.ts'
import { invoiceRow } from './payment.ts'
import { at, exampleRow, OWNER } from './rows.ts'

const CREATED = at(-60 * 24 * 30)
const WRITTEN = { createdAt: CREATED, updatedAt: CREATED }

export const project = presentProject(
  { id: OWNER.projectId, name: 'Shop', defaultCurrency: 'EUR', createdAt: CREATED } as ProjectRow,
  OWNER,
)

export const accountRow = exampleRow<GatewayConfigurationRow>({
  ...OWNER,
  ...WRITTEN,
  id: exampleId('gatewayConfiguration'),
  gatewayName: 'simulator',
  name: 'Sandbox account',
  enabled: true,
  enabledAt: CREATED,
  defaultCurrency: 'EUR',
  capabilities: {},
  authorizationValidity: [{ scheme: 'visa', initiation: 'merchant', seconds: 410_400 }],
  credentialsSetAt: { notification_key: CREATED.toISOString() },
  settings: { delay_ms: '50' },
  accountVersion: 1,
  metadata: {},
})

export const gatewayConfiguration = presentGatewayConfiguration(
  accountRow,
  installedGateway(accountRow.gatewayName) ?? null,
  [],
)

const CONDITION = {
  kind: 'comparison',
  operand: { kind: 'field', name: 'card_scheme' },
  operator: 'in',
  value: ['visa', 'mastercard'],
} as const

const ROUTING_TEXT = `route {
  gateways: ${accountRow.id};
  condition: card_scheme in ("visa", "mastercard");
  tags: cards;
}`

const ruleSetRow: RuleSetRow = {
  ...OWNER,
  id: exampleId('ruleSet'),
  version: 1,
  text: ROUTING_TEXT,
  rules: [
    {
      id: exampleId('rule'),
      position: 1,
      kind: 'route',
      enabled: true,
      condition: CONDITION,
      tags: ['cards'],
      gateways: [{ gatewayConfigurationId: accountRow.id, weight: null }],
      strategy: 'priority',
      fallback: NO_FALLBACK,
    },
  ],
  defaultCurrency: 'EUR',
  createdAt: CREATED,
  createdBy: exampleId('apiKey'),
}

/** Names no account, so that any project takes it as it is. */
export const BLOCKING_TEXT = `block {
  condition: card_country == "KP";
  tags: embargo;
}`

export const blockingRuleSet = presentRuleSet(
  {
    ...ruleSetRow,
    text: BLOCKING_TEXT,
    rules: [
      {
        id: exampleId('rule'),
        position: 1,
        kind: 'block',
        enabled: true,
        condition: {
          kind: 'comparison',
          operand: { kind: 'field', name: 'card_country' },
          operator: '==',
          value: 'KP',
        },
        tags: ['embargo'],
        runForCardVerifications: false,
      },
    ],
  },
  CREATED,
  printCondition,
)

export const ruleSet = presentRuleSet(ruleSetRow, CREATED, printCondition)
export const listedRuleSet = presentListedRuleSet(ruleSetRow, CREATED)

const APPLIED = { ruleId: exampleId('rule'), name: 'rule-1-route', tags: ['cards'] }

export const explanation = presentRoutingExplanation({
  ruleSet: ruleSetRow,
  decision: {
    kind: 'routed',
    ruleSetId: ruleSetRow.id,
    ruleSetVersion: ruleSetRow.version,
    triggersThreeDs: null,
    route: { by: APPLIED, gatewayConfigurationIds: [accountRow.id], fallback: NO_FALLBACK },
    dynamicThreeDs: [],
  },
  rules: [
    {
      ...APPLIED,
      position: 1,
      kind: 'route',
      standing: 'applied',
      matches: true,
      condition: {
        kind: 'comparison',
        operand: 'card_scheme',
        actual: 'visa',
        operator: 'in',
        expected: ['visa', 'mastercard'],
        result: true,
      },
    },
  ],
  facts: {
    transactionId: exampleId('transaction'),
    amountMinor: 2_900,
    currency: 'EUR',
    customerCountry: 'FR',
    ipCountry: null,
    cardCountry: 'FR',
    cardScheme: 'visa',
    cardCoScheme: null,
    cardType: 'credit',
    cardCategory: null,
    cardIin: '424242',
    cardLast4: '4242',
    cardFingerprint: null,
    channel: 'web',
    merchantInitiated: false,
    paymentIntent: null,
    incremental: false,
    metadata: {},
    isCardVerification: false,
    velocities: new Map(),
  },
  velocities: [],
  usable: [{ configuration: accountRow, incremental: true, isSaleOnly: false }],
  rejected: [],
  routingTags: ['rule-1-route', 'cards'],
  errorType: null,
})

export const endpointRow = exampleRow<WebhookEndpointRow>({
  ...OWNER,
  ...WRITTEN,
  id: exampleId('webhookEndpoint'),
  url: 'https://shop.example/webhooks',
  description: 'The order system',
  eventsWhitelist: ['transaction.captured', 'transaction.refunded'],
  enabled: true,
  signWithEd25519: false,
  goneCount: 0,
})

export const webhookEndpoint = presentWebhookEndpoint(endpointRow, null)
export const webhookEndpointWithSecret = presentWebhookEndpoint(
  endpointRow,
  null,
  'whsec_ZXhhbXBsZSBleGFtcGxlIGV4YW1wbGUgZXhhbXBsZQ==',
)

const deliveryRow = exampleRow<DeliveryRow>({
  ...OWNER,
  id: exampleId('delivery'),
  eventId: exampleId('event', 'transaction.captured'),
  endpointId: endpointRow.id,
  targetUrl: endpointRow.url,
  run: 0,
  status: 'delivered',
  queuedAt: at(60),
  firstAttemptAt: at(60),
  endedAt: at(60),
  createdAt: at(60),
})

const attemptRow = exampleRow<DeliveryAttemptRow>({
  ...OWNER,
  id: exampleId('deliveryAttempt'),
  deliveryId: deliveryRow.id,
  run: 0,
  attempt: 0,
  requestUrl: endpointRow.url,
  responseCode: 200,
  responseTimeMs: 84,
  responseBody: 'ok',
  responseHeaders: { 'content-type': 'text/plain' },
  startedAt: at(60),
})

export const webhook = presentWebhookDelivery(deliveryRow, attemptRow)
export const newWebhook = presentWebhookDelivery(
  { ...deliveryRow, run: 1, status: 'pending', firstAttemptAt: null },
  null,
)

const apiRequestRow = exampleRow<ApiRequestRow>({
  ...OWNER,
  id: exampleId('apiRequest'),
  apiKeyId: exampleId('apiKey'),
  requestId: 'req_7Qd2mVb0Zk9xYp4LrT1sWc8NfHa3JuEg',
  method: 'POST',
  path: `/invoices/${invoiceRow.id}/capture`,
  query: null,
  status: 200,
  hasIdempotencyKey: true,
  ip: '198.51.100.4',
  userAgent: 'shop/2.1',
  latencyMs: 41,
  requestBody: { capture_amount: '129.90' },
  createdAt: at(60),
})

export const apiRequest = presentApiRequest(apiRequestRow)
export const listedApiRequest = presentListedApiRequest(apiRequestRow)
