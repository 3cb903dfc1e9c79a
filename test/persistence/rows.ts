import type { ApiKeyRow } from '../../src/persistence/entities/api-key.ts'
import type { CardRow } from '../../src/persistence/entities/card.ts'
import type { CardSecurityCodeRow } from '../../src/persistence/entities/card-security-code.ts'
import type { DeliveryRow } from '../../src/persistence/entities/delivery.ts'
import type { DeliveryAttemptRow } from '../../src/persistence/entities/delivery-attempt.ts'
import type { EventRow } from '../../src/persistence/entities/event.ts'
import type { GatewayConfigurationRow } from '../../src/persistence/entities/gateway-configuration.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { ProjectRow } from '../../src/persistence/entities/project.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { WithdrawnCommandRow } from '../../src/persistence/entities/withdrawn-command.ts'

const AT = new Date('2026-11-21T01:17:10.123Z')

/** Text that would break a statement put together by hand, or a name that the JSON of PostgreSQL takes amiss. */
const HOSTILE = `O'Brien ?? "$1" \\' \\u0041 {"a":1} %s -- ;\n\t€ 😀`

/** Rows with every column filled, so that a reading test notices any that is lost. `seed` keeps ids apart. */
export function makeRows(seed: string) {
  const owner = { projectId: `proj_${seed}`, sandbox: true }
  const project: ProjectRow = { id: owner.projectId, name: HOSTILE, createdAt: AT }
  const apiKey: ApiKeyRow = { ...owner, id: `key_${seed}`, secretHash: `hash of ${seed}`, revokedAt: AT, createdAt: AT }
  const gatewayConfiguration: GatewayConfigurationRow = {
    ...owner,
    id: `gway_conf_${seed}`,
    gatewayName: 'simulator',
    name: HOSTILE,
    enabled: true,
    defaultPreferredScheme: 'visa',
    createdAt: AT,
  }
  const invoice: InvoiceRow = {
    ...owner,
    id: `iv_${seed}`,
    name: HOSTILE,
    orderId: HOSTILE,
    amountMinor: 99_999_999_999_9999,
    currency: 'EUR',
    statementDescriptor: 'Shop * 1',
    webhookUrl: 'https://shop.example/webhooks?a=1&b=2',
    returnUrl: 'com.example.shop://pay/return',
    deviceChannel: 'android',
    merchantInitiatorType: 'recurring',
    exemptionReason3ds2: 'low-value',
    challengeIndicator: 'challenge-requested',
    incremental: true,
    bypassIncrementalAuthorization: true,
    autoCaptureAt: AT,
    metadata: { [HOSTILE]: HOSTILE },
    gatewayData: { nested: [{ a: HOSTILE }, 1, true, null] },
    createdAt: AT,
    updatedAt: AT,
  }
  const card: CardRow = {
    ...owner,
    id: `card_${seed}`,
    scheme: 'visa',
    coScheme: 'carte bancaire',
    preferredScheme: 'carte bancaire',
    type: 'debit',
    countryCode: 'FR',
    iin: '42424242',
    last4Digits: '4242',
    fingerprint: 'f'.repeat(64),
    expMonth: 12,
    expYear: 2030,
    name: HOSTILE,
    checks: { cvcCheck: 'passed', avsCheck: 'unavailable' },
    metadata: { order: '1' },
    numberCiphertext: Buffer.from([0, 1, 39, 92, 63, 255]),
    numberKeyId: 'n1',
    usedByInvoiceId: invoice.id,
    createdAt: AT,
    updatedAt: AT,
  }
  const securityCode: CardSecurityCodeRow = {
    ...owner,
    cardId: card.id,
    ciphertext: Buffer.from([255, 63, 92, 39, 1, 0]),
    keyId: 'c1',
    expiresAt: AT,
  }
  const transaction: TransactionRow = {
    ...owner,
    id: `tr_${seed}`,
    invoiceId: invoice.id,
    cardId: card.id,
    gatewayConfigurationId: gatewayConfiguration.id,
    gatewayName: 'simulator',
    name: HOSTILE,
    currency: 'EUR',
    status: 'completed',
    amountMinor: 99_999_999_999_9999,
    authorizedMinor: 99_999_999_999_9999,
    capturedMinor: 2900,
    voidedMinor: 100,
    refundedMinor: 50,
    incrementedMinor: 500,
    incremental: true,
    incrementAttempts: 3,
    attemptsCount: 2,
    attemptInFlightId: `tr_op_${seed}`,
    attemptInFlightType: 'capture',
    expired: true,
    authorizedAt: AT,
    authorizationExpiresAt: AT,
    autoCaptureAt: AT,
    autoCaptureAmountMinor: 2900,
    capturedAt: AT,
    voidedAt: AT,
    errorCode: 'card.do-not-honor',
    errorMessage: HOSTILE,
    recommendationCode: 'do-not-retry',
    schemeId: 'scheme 1',
    initialSchemeTransactionId: 'scheme 0',
    schemeUsed: 'visa',
    cardChecks: { cvcCheck: 'failed', avsCheck: 'passed' },
    gatewayAuthorizationId: 'sim_1',
    eventCount: 4,
    metadata: { a: 'b' },
    createdAt: AT,
    updatedAt: AT,
  }
  const attempt: OperationRow = {
    ...owner,
    id: `tr_op_${seed}`,
    transactionId: transaction.id,
    type: 'increment_authorization',
    isAttempt: true,
    attemptOperationId: null,
    hasFailed: false,
    isAccountable: false,
    outcome: null,
    amountMinor: 500,
    targetTotalMinor: 3400,
    currency: 'EUR',
    cardId: card.id,
    gatewayConfigurationId: gatewayConfiguration.id,
    gatewayOperationId: null,
    gatewayCode: null,
    errorCode: null,
    errorMessage: null,
    recommendationCode: null,
    schemeId: null,
    initialSchemeTransactionId: 'scheme 0',
    authorizationCode: null,
    cardChecks: null,
    begunAt: AT,
    actor: 'merchant',
    metadata: { reason: HOSTILE },
    createdAt: AT,
  }
  const result: OperationRow = {
    ...attempt,
    id: `tr_op_${seed}result`,
    isAttempt: false,
    attemptOperationId: attempt.id,
    hasFailed: true,
    isAccountable: true,
    outcome: 'failed',
    gatewayOperationId: 'sim_2',
    gatewayCode: '05',
    errorCode: 'card.do-not-honor',
    errorMessage: HOSTILE,
    recommendationCode: 'do-not-retry',
    schemeId: 'scheme 1',
    authorizationCode: '123456',
    cardChecks: { cvcCheck: 'unchecked', avsCheck: 'unknown' },
    actor: 'reconciler',
  }
  const event: EventRow = {
    ...owner,
    id: `ev_${seed}`,
    name: 'transaction.captured',
    invoiceId: invoice.id,
    transactionId: transaction.id,
    sequence: 1,
    data: { name: 'transaction.captured', list: [1, { text: HOSTILE }] },
    firedAt: AT,
  }
  const delivery: DeliveryRow = {
    ...owner,
    id: `whd_${seed}`,
    eventId: event.id,
    targetUrl: 'https://shop.example/webhooks?a=1&b=2',
    status: 'failed',
    firstAttemptAt: AT,
    releaseAt: AT,
    endedAt: AT,
    createdAt: AT,
  }
  const deliveryAttempt: DeliveryAttemptRow = {
    ...owner,
    id: `wha_${seed}`,
    deliveryId: delivery.id,
    attempt: 12,
    responseCode: 500,
    failureReason: 'status',
    responseTimeMs: 10_000,
    startedAt: AT,
  }
  const withdrawnCommand: WithdrawnCommandRow = {
    ...owner,
    operationId: `tr_op_${seed}withdrawn`,
    invoiceId: invoice.id,
    createdAt: AT,
  }
  return {
    project,
    apiKey,
    gatewayConfiguration,
    invoice,
    card,
    securityCode,
    transaction,
    attempt,
    result,
    event,
    delivery,
    deliveryAttempt,
    withdrawnCommand,
  }
}

export type Rows = ReturnType<typeof makeRows>
