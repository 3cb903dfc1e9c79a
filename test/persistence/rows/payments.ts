import type { AuthenticationResult } from '../../../domain/authentication.ts'
import { ALL_CAPABILITIES } from '../../../domain/capabilities.ts'
import { issueAction } from '../../../domain/customer-action.ts'
import { CommandNoteEntity } from '../../../src/persistence/entities/command-note.ts'
import { ExternalAuthenticationEntity } from '../../../src/persistence/entities/external-authentication.ts'
import { GatewayNotificationEntity } from '../../../src/persistence/entities/gateway-notification.ts'
import { OperationEntity } from '../../../src/persistence/entities/operation.ts'
import { RefundEntity } from '../../../src/persistence/entities/refund.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { VelocityRecordEntity } from '../../../src/persistence/entities/velocity-record.ts'
import { WithdrawnCommandEntity } from '../../../src/persistence/entities/withdrawn-command.ts'
import { AT, HOSTILE, rowsOf } from './values.ts'

const AUTHENTICATION: AuthenticationResult = {
  version: '2.2.0',
  status: 'authenticated',
  aresTransStatus: 'C',
  cresTransStatus: 'Y',
  eci: '05',
  dsTransId: HOSTILE,
  serverTransId: null,
  fingerprintCompleted: true,
  wasChallenged: true,
  hasLiabilityShift: true,
}

/** A transaction with its steps, and what commands, gateways and routing left beside it. */
export function makePaymentRows(seed: string) {
  const { ids, filled } = rowsOf(seed)
  const transaction = filled(TransactionEntity, {
    gatewayRequest: 'gway_req_e30',
    status: 'completed',
    amountMinor: 99_999_999_999_9999,
    authorizedMinor: 99_999_999_999_9999,
    capturedMinor: 2900,
    voidedMinor: 100,
    refundedMinor: 50,
    capturingMinor: 700,
    refundingMinor: 20,
    incrementedMinor: 500,
    incrementAttempts: 3,
    attemptsCount: 2,
    capturesCount: 1,
    attemptsInFlight: [
      {
        operationId: ids.attempt,
        type: 'capture',
        amountMinor: 700,
        isFinal: true,
        isSale: false,
        begunAt: AT.getTime(),
        isAbandoned: false,
        reverses: null,
        lookUpsMade: 2,
        nextLookUpAt: AT.getTime() + 30_000,
      },
    ],
    orphans: [
      {
        operationId: ids.attempt,
        gatewayAuthorizationId: 'sim_0',
        amountMinor: 100,
        isSale: false,
        reason: 'late_approval',
        foundAt: AT.getTime(),
      },
    ],
    disputes: [{ id: `dispute_${seed}`, status: 'won', amountMinor: 300 }],
    ruleSetVersion: 3,
    routingTags: ['rule-1-route', HOSTILE],
    clockOffsetMs: 86_400_000,
    workflowRunId: '01a214eb-b94e-714f-a83e-8ac5570e7a7e',
    clockMove: { target: AT.getTime(), heldUntil: AT.getTime(), key: 'key' },
    capabilities: { ...ALL_CAPABILITIES, multipleCaptures: false },
    authorizationValidityMs: 86_400_000,
    autoCaptureAmountMinor: 2900,
    autoCaptureDetailIds: [ids.invoiceDetail],
    autoCaptureIsFinal: false,
    autoCaptureFailures: 2,
    errorCode: 'card.do-not-honor',
    recommendationCode: 'do-not-retry',
    merchantAdviceCode: '03',
    schemeId: 'scheme 1',
    initialSchemeTransactionId: 'scheme 0',
    schemeUsed: 'visa',
    cardChecks: { cvcCheck: 'failed', avsCheck: 'passed' },
    customerAction: {
      ...issueAction(
        { type: 'redirect', page: { url: 'https://bank.example', fields: { creq: HOSTILE } }, continuation: 'auth_1' },
        {
          id: 'act_1',
          attemptId: ids.attempt,
          invoiceId: ids.invoice,
          channel: 'web',
          previous: null,
          publicUrl: 'https://pay.example',
          at: AT.getTime(),
        },
      ),
      returned: { cres: HOSTILE },
    },
    authentication: AUTHENTICATION,
    gatewayAuthorizationId: 'sim_1',
    eventCount: 4,
    metadata: { a: 'b' },
  })
  const attempt = filled(OperationEntity, {
    id: ids.attempt,
    type: 'increment_authorization',
    wantedAuthentication: {
      isAttended: true,
      isRequired: true,
      challengeIndicator: 'challenge-requested',
      exemption: 'low-value',
      isExternal: false,
      channel: 'web',
    },
    authentication: AUTHENTICATION,
    attemptOperationId: null,
    hasFailed: false,
    isAccountable: false,
    outcome: null,
    amountMinor: 500,
    detailIds: [ids.invoiceDetail],
    isFinal: false,
    route: {
      gatewayConfigurationIds: [ids.gatewayConfiguration],
      fallback: { enabled: true, errorCodes: ['gateway.timeout'], maxAttempts: 2 },
    },
    fallbackOf: ids.attempt,
    gatewayRequest: 'gway_req_e30',
    schemeUsed: 'visa',
    gatewayAuthorizationId: 'sim_0',
    merchantAdviceCode: '03',
    chargebackReason: '4853',
    gatewayOperationId: null,
    gatewayCode: null,
    errorCode: null,
    errorMessage: null,
    recommendationCode: null,
    schemeId: null,
    initialSchemeTransactionId: 'scheme 0',
    authorizationCode: null,
    cardChecks: null,
    actor: 'merchant',
    reason: 'late_approval',
    isSale: false,
    correctedAttemptId: null,
    overridesAdvice: false,
    disputeStep: 'fraud-notification',
  })
  const result = filled(OperationEntity, {
    ...attempt,
    id: ids.result,
    isAttempt: false,
    attemptOperationId: ids.attempt,
    hasFailed: true,
    isAccountable: true,
    outcome: 'failed',
    correctedAttemptId: ids.attempt,
    gatewayOperationId: 'sim_2',
    gatewayCode: '05',
    errorCode: 'card.do-not-honor',
    errorMessage: HOSTILE,
    recommendationCode: 'do-not-retry',
    schemeId: 'scheme 1',
    authorizationCode: '123456',
    cardChecks: { cvcCheck: 'unchecked', avsCheck: 'unknown' },
    actor: 'reconciler',
  })
  const refund = filled(RefundEntity, {
    amountMinor: 50,
    reason: 'customer_request',
    detailIds: [ids.invoiceDetail],
    status: 'failed',
    errorCode: 'card.do-not-honor',
  })
  const externalAuthentication = filled(ExternalAuthenticationEntity, {
    ciphertext: Buffer.from([255, 63, 92, 39, 1, 0]),
    keyId: 'c1',
  })
  const commandNote = filled(CommandNoteEntity, {
    content: { information: HOSTILE, metadata: { [HOSTILE]: HOSTILE } },
  })
  const gatewayNotification = filled(GatewayNotificationEntity, {
    gatewayNotificationId: `notification_${seed}`,
    kind: 'outcome',
    reference: ids.attempt,
    operationType: 'capture',
    outcome: { kind: 'declined', code: 'gateway.declined', gatewayCode: HOSTILE },
    gatewayAuthorizationId: 'sim_0',
    amountMinor: 2900,
    disputeId: `dispute_${seed}`,
  })
  const withdrawnCommand = filled(WithdrawnCommandEntity, {
    operationId: `tr_op_${seed}withdrawn`,
  })
  const velocityRecord = filled(VelocityRecordEntity, {
    cardFingerprint: 'f'.repeat(64),
    cardIin: '42424242',
    ipAddress: '2001:db8::1',
  })
  return {
    transaction,
    attempt,
    result,
    refund,
    externalAuthentication,
    commandNote,
    gatewayNotification,
    withdrawnCommand,
    velocityRecord,
  }
}
