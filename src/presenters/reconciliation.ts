import type { EventName } from '../../domain/webhook-event.ts'
import type { ReconciliationRow } from '../persistence/entities/reconciliation.ts'
import type { ReconciliationDifferenceRow } from '../persistence/entities/reconciliation-difference.ts'
import { presentAmount, presentTimestamp } from './values.ts'

/** A comparison of our books with those of a gateway. */
export function presentReconciliation(row: ReconciliationRow) {
  return {
    id: row.id,
    project_id: row.projectId,
    gateway_configuration_id: row.gatewayConfigurationId,
    gateway_configuration: null,
    source: row.source,
    day: row.day ?? null,
    status: row.status,
    tries: row.tries,
    next_try_at: presentTimestamp(row.nextTryAt),
    failure: row.failure ?? null,
    lines_count: row.linesCount,
    differences_count: row.differencesCount,
    judged_until: presentTimestamp(row.judgedUntil),
    completed_at: presentTimestamp(row.completedAt),
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
    updated_at: presentTimestamp(row.updatedAt),
  }
}

/** What both sides do not agree about. A side that has nothing is null. */
export function presentReconciliationDifference(row: ReconciliationDifferenceRow) {
  const { ourCurrency, gatewayCurrency } = row
  return {
    id: row.id,
    project_id: row.projectId,
    reconciliation_id: row.reconciliationId,
    reconciliation: null,
    gateway_configuration_id: row.gatewayConfigurationId,
    gateway_configuration: null,
    transaction_id: row.transactionId ?? null,
    transaction: null,
    kind: row.kind,
    status: row.status,
    type: row.type,
    gateway_reference: row.gatewayReference ?? null,
    ours:
      ourCurrency == null
        ? null
        : {
            operation_id: row.operationId ?? null,
            state: row.ourState,
            amount: presentAmount(row.ourAmountMinor, ourCurrency),
            currency: ourCurrency,
          },
    gateways:
      gatewayCurrency == null
        ? null
        : {
            line_id: row.lineId ?? null,
            state: row.gatewayState,
            amount: presentAmount(row.gatewayAmountMinor, gatewayCurrency),
            currency: gatewayCurrency,
            booked_at: presentTimestamp(row.gatewayBookedAt),
          },
    resolved_at: presentTimestamp(row.resolvedAt),
    resolved_by: row.resolvedBy ?? null,
    resolution: row.resolution ?? null,
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
    updated_at: presentTimestamp(row.updatedAt),
  }
}

/** The data of an event about a reconciliation. */
export function presentReconciliationEventData(name: EventName, row: ReconciliationRow) {
  return { name, sandbox: row.sandbox, reconciliation: presentReconciliation(row) }
}
