import { type Command, mayTakeAtOnce } from '../../../domain/command.ts'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import type { Payment } from '../../../domain/payment.ts'
import type { RejectionCode } from '../../../domain/routing/decision.ts'
import type { RemainingRoute } from '../../../domain/routing/rule.ts'
import { OperationEntity, type OperationRow } from '../../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../../src/persistence/entities/transaction.ts'
import type { Unit } from '../../../src/persistence/transact.ts'
import type { PaymentActivityDeps } from '../../dependencies.ts'
import type { GatewayCommand, OPERATION_OF } from '../attempt.ts'
import { declineMessage } from './decline-message.ts'

/** The columns that every operation of a transaction shares. */
export function operationDefaults(row: TransactionRow, { actor }: Pick<Command, 'actor'>, createdAt: Date) {
  return {
    projectId: row.projectId,
    sandbox: row.sandbox,
    transactionId: row.id,
    hasFailed: false,
    isAccountable: false,
    currency: row.currency,
    gatewayConfigurationId: row.gatewayConfigurationId,
    actor,
    createdAt,
  }
}

/** That the payment was asked for at all: the first operation of a transaction. */
export function recordRequest(
  { clock, randomBytes }: Pick<PaymentActivityDeps, 'clock' | 'randomBytes'>,
  unit: Unit,
  row: TransactionRow,
  command: Command,
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

/** That an authorization was asked for and went to no gateway. Its id is the command's, so that a repetition finds it. */
export function recordRejectedAuthorization(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  unit: Unit,
  row: TransactionRow,
  { command, amountMinor, code }: { command: Command; amountMinor: number; code: RejectionCode },
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

/** The attempt: everything that is needed to ask the gateway, now or again. */
export function recordAttempt(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  unit: Unit,
  row: TransactionRow,
  attempt: {
    command: GatewayCommand
    type: (typeof OPERATION_OF)[GatewayCommand['kind']]
    before: Payment
    amountMinor: number
    at: number
    detailIds: string[] | null
    /** Of the void of an orphan: the attempt that brought it. */
    released: OperationRow | null
    /** Of an authorization: where it may go on. */
    route: RemainingRoute | null
    /** Where another gateway was tried before: the id of this attempt, and the first attempt of the command. */
    fallback?: { operationId: string; of: string }
  },
): OperationRow {
  const { command, type, before, amountMinor, at, detailIds, released, route, fallback } = attempt
  return unit.insert(OperationEntity, {
    ...operationDefaults(row, command, clock.now()),
    // The payment may have gone to another account, and be asked for in another currency, since then.
    ...(released && { gatewayConfigurationId: released.gatewayConfigurationId ?? null, currency: released.currency }),
    id: fallback?.operationId ?? command.operationId,
    fallbackOf: fallback?.of ?? null,
    route,
    type,
    isAttempt: true,
    begunAt: new Date(at),
    amountMinor,
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
