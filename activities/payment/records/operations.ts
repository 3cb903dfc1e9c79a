import type { WantedAuthentication } from '../../../domain/authentication.ts'
import { type DecidedCommand, mayTakeAtOnce } from '../../../domain/command.ts'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import type { GatewayOperationType } from '../../../domain/operation.ts'
import type { Payment } from '../../../domain/payment.ts'
import type { RejectionCode } from '../../../domain/routing/decision.ts'
import type { RemainingRoute } from '../../../domain/routing/rule.ts'
import { OperationEntity, type OperationRow } from '../../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../../src/persistence/entities/transaction.ts'
import type { Unit } from '../../../src/persistence/transact.ts'
import type { PaymentActivityDeps } from '../../dependencies.ts'
import type { GatewayCommand } from '../attempt.ts'
import { declineMessage } from './decline-message.ts'

/** The columns that every operation of a transaction shares. */
export function operationDefaults(
  row: TransactionRow,
  { actor, personId }: Pick<DecidedCommand, 'actor' | 'personId'>,
  createdAt: Date,
) {
  return {
    projectId: row.projectId,
    sandbox: row.sandbox,
    transactionId: row.id,
    hasFailed: false,
    isAccountable: false,
    currency: row.currency,
    gatewayConfigurationId: row.gatewayConfigurationId,
    actor,
    ...(personId !== undefined && { personId }),
    createdAt,
  }
}

/** Records the request of the payment: the first operation of a transaction. */
export function recordRequest(
  { clock, randomBytes }: Pick<PaymentActivityDeps, 'clock' | 'randomBytes'>,
  unit: Unit,
  row: TransactionRow,
  command: DecidedCommand,
): OperationRow {
  return unit.insert(OperationEntity, {
    ...operationDefaults(row, command, clock.now()),
    id: makeIdentifier('operation', randomBytes),
    type: 'request',
    isAttempt: false,
    outcome: 'succeeded',
    amountMinor: row.amountMinor,
  })
}

/** Records an authorization that was rejected locally, under the command's id, so that a repetition finds it. */
export function recordRejectedAuthorization(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  unit: Unit,
  row: TransactionRow,
  { command, amountMinor, code }: { command: DecidedCommand; amountMinor: number; code: RejectionCode },
): OperationRow {
  return unit.insert(OperationEntity, {
    ...operationDefaults(row, command, clock.now()),
    id: command.operationId,
    type: 'authorization',
    isAttempt: false,
    outcome: 'failed',
    hasFailed: true,
    isNotSent: true,
    amountMinor,
    gatewayConfigurationId: null,
    cardId: row.cardId ?? null,
    tokenId: row.tokenId ?? null,
    errorCode: code,
    errorMessage: declineMessage(code),
  })
}

/** Records the scheduled capture that a chargeback has ended, as one that failed without a gateway call. */
export function recordEndedSchedule(
  { clock, randomBytes }: Pick<PaymentActivityDeps, 'clock' | 'randomBytes'>,
  unit: Unit,
  row: TransactionRow,
  amountMinor: number,
): OperationRow {
  const errorCode = 'customer.disputed'
  return unit.insert(OperationEntity, {
    ...operationDefaults(row, { actor: 'scheduler' }, clock.now()),
    id: makeIdentifier('operation', randomBytes),
    type: 'capture',
    isAttempt: false,
    outcome: 'failed',
    hasFailed: true,
    isNotSent: true,
    amountMinor,
    errorCode,
    errorMessage: declineMessage(errorCode),
  })
}

/** Records that the customer has answered an action of this authorization, under the id of the command that brought the answer. */
export function recordCustomerAnswer(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  unit: Unit,
  row: TransactionRow,
  { command, authorization, at }: { command: DecidedCommand; authorization: OperationRow; at: number },
): OperationRow {
  return unit.insert(OperationEntity, {
    ...operationDefaults(row, command, clock.now()),
    id: command.operationId,
    type: 'three_d_s_check',
    isAttempt: true,
    begunAt: new Date(at),
    amountMinor: authorization.amountMinor,
    currency: authorization.currency,
    gatewayConfigurationId: authorization.gatewayConfigurationId ?? null,
    cardId: authorization.cardId ?? null,
    tokenId: authorization.tokenId ?? null,
  })
}

/** Records an attempt with everything that the gateway call, or its repetition, needs. */
export function recordAttempt(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  unit: Unit,
  row: TransactionRow,
  attempt: {
    command: GatewayCommand
    type: GatewayOperationType
    before: Payment
    amountMinor: number
    /** For an authorization: whether it takes the money at once. */
    isSale: boolean
    at: number
    detailIds: string[] | null
    /** For the reversal of an orphan: the orphan's attempt. */
    released: OperationRow | null
    /** For an authorization: the gateways to which it may fall back. */
    route: RemainingRoute | null
    /** For an authorization. */
    authentication: WantedAuthentication | null
    /** For a fallback: the id of this attempt, and that of the command's first attempt. */
    fallback?: { operationId: string; of: string }
  },
): OperationRow {
  const { command, type, before, amountMinor, isSale, at, detailIds, released, route, authentication, fallback } =
    attempt
  return unit.insert(OperationEntity, {
    ...operationDefaults(row, command, clock.now()),
    // The payment may have moved to another account or currency since the orphan's attempt.
    ...(released && { gatewayConfigurationId: released.gatewayConfigurationId ?? null, currency: released.currency }),
    id: fallback?.operationId ?? command.operationId,
    fallbackOf: fallback?.of ?? null,
    route,
    wantedAuthentication: authentication,
    type,
    isAttempt: true,
    begunAt: new Date(at),
    amountMinor,
    isSale,
    cardId: row.cardId ?? null,
    tokenId: row.tokenId ?? null,
    detailIds,
    ...wishesOf(command, row, before, amountMinor),
  })
}

function wishesOf(
  command: GatewayCommand,
  row: TransactionRow,
  before: Payment,
  amountMinor: number,
): Partial<OperationRow> {
  switch (command.kind) {
    case 'authorize':
      return {
        gatewayRequest: row.gatewayRequest ?? null,
        schemeUsed: row.schemeUsed ?? null,
        initialSchemeTransactionId: row.initialSchemeTransactionId ?? null,
        mayFallBackToSale: mayTakeAtOnce(command, amountMinor),
        saveSource: command.saveSource,
        overridesAdvice: command.overrideMacBlocking === true,
      }
    case 'capture':
      return { isFinal: command.isFinal }
    case 'increment':
      return { targetTotalMinor: before.authorizedMinor + amountMinor }
    case 'void':
      return { reason: command.reason }
    case 'refund':
      return { refundId: command.refundId }
    case 'reverse-orphan': {
      const orphan = before.orphans.find(({ operationId }) => operationId === command.orphanOperationId)
      return orphan === undefined
        ? {}
        : { gatewayAuthorizationId: orphan.gatewayAuthorizationId, reason: orphan.reason }
    }
  }
}
