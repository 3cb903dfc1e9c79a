import type { AuthenticationResult } from '../../../domain/authentication.ts'
import { ALL_CAPABILITIES } from '../../../domain/capabilities.ts'
import { issueAction } from '../../../domain/customer-action.ts'
import { CommandNoteEntity, type CommandNoteRow } from '../../../src/persistence/entities/command-note.ts'
import {
  ExternalAuthenticationEntity,
  type ExternalAuthenticationRow,
} from '../../../src/persistence/entities/external-authentication.ts'
import type { GatewayNotificationRow } from '../../../src/persistence/entities/gateway-notification.ts'
import type { OperationRow } from '../../../src/persistence/entities/operation.ts'
import { RefundEntity } from '../../../src/persistence/entities/refund.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import {
  WithdrawnCommandEntity,
  type WithdrawnCommandRow,
} from '../../../src/persistence/entities/withdrawn-command.ts'
import { AT, filled, HOSTILE, idsOf } from './values.ts'

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

/** A transaction with its steps, and what commands and gateways left beside it. */
export function makePaymentRows(seed: string) {
  const ids = idsOf(seed)
  const owner = { projectId: ids.project, sandbox: true }
  const transaction = filled(TransactionEntity, {
    ...owner,
    id: ids.transaction,
    invoiceId: ids.invoice,
    customerId: ids.customer,
    tokenId: ids.token,
    cardId: ids.card,
    gatewayRequest: 'gway_req_e30',
    gatewayConfigurationId: ids.gatewayConfiguration,
    gatewayName: 'simulator',
    currency: 'EUR',
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
        reason: 'late_approval',
        foundAt: AT.getTime(),
      },
    ],
    ruleSetId: ids.ruleSet,
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
  /** The database gives the position. */
  const attempt: Omit<OperationRow, 'position'> = {
    ...owner,
    id: ids.attempt,
    transactionId: ids.transaction,
    type: 'increment_authorization',
    isAttempt: true,
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
    targetTotalMinor: 3400,
    currency: 'EUR',
    cardId: ids.card,
    tokenId: ids.token,
    refundId: ids.refund,
    detailIds: [ids.invoiceDetail],
    isFinal: false,
    mayFallBackToSale: true,
    saveSource: true,
    route: {
      gatewayConfigurationIds: [ids.gatewayConfiguration],
      fallback: { enabled: true, errorCodes: ['gateway.timeout'], maxAttempts: 2 },
    },
    fallbackOf: ids.attempt,
    gatewayRequest: 'gway_req_e30',
    schemeUsed: 'visa',
    gatewayAuthorizationId: 'sim_0',
    merchantAdviceCode: '03',
    retryAfter: AT,
    isNotSent: true,
    chargebackReason: '4853',
    gatewayConfigurationId: ids.gatewayConfiguration,
    accountVersion: 2,
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
    personId: ids.person,
    reason: 'late_approval',
    isSale: false,
    correctedAttemptId: null,
    overridesAdvice: false,
    disputeStep: 'fraud-notification',
    createdAt: AT,
  }
  const result: Omit<OperationRow, 'position'> = {
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
  }
  const refund = filled(RefundEntity, {
    ...owner,
    id: ids.refund,
    transactionId: ids.transaction,
    operationId: ids.attempt,
    amountMinor: 50,
    currency: 'EUR',
    reason: 'customer_request',
    metadata: { [HOSTILE]: HOSTILE },
    detailIds: [ids.invoiceDetail],
    status: 'failed',
    errorCode: 'card.do-not-honor',
  })
  const externalAuthentication: ExternalAuthenticationRow = filled(ExternalAuthenticationEntity, {
    ...owner,
    operationId: ids.attempt,
    ciphertext: Buffer.from([255, 63, 92, 39, 1, 0]),
    keyId: 'c1',
  })
  const commandNote: CommandNoteRow = filled(CommandNoteEntity, {
    ...owner,
    operationId: ids.attempt,
    content: { information: HOSTILE, metadata: { [HOSTILE]: HOSTILE } },
  })
  /** The database gives the id. */
  const gatewayNotification: Omit<GatewayNotificationRow, 'id'> = {
    ...owner,
    gatewayConfigurationId: ids.gatewayConfiguration,
    gatewayNotificationId: `notification_${seed}`,
    invoiceId: ids.invoice,
    kind: 'outcome',
    reference: ids.attempt,
    operationType: 'capture',
    outcome: { kind: 'declined', code: 'gateway.declined', gatewayCode: HOSTILE },
    gatewayAuthorizationId: 'sim_0',
    amountMinor: 2900,
    currency: 'EUR',
    reason: HOSTILE,
    receivedAt: AT,
    appliedAt: AT,
  }
  const withdrawnCommand: WithdrawnCommandRow = filled(WithdrawnCommandEntity, {
    ...owner,
    operationId: `tr_op_${seed}withdrawn`,
    invoiceId: ids.invoice,
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
  }
}
