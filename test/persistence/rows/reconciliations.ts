import type { ReconciliationRow } from '../../../src/persistence/entities/reconciliation.ts'
import type { ReconciliationDifferenceRow } from '../../../src/persistence/entities/reconciliation-difference.ts'
import { AT, HOSTILE, idsOf } from './values.ts'

/** A reconciliation that is done and one that is not, which have different columns, and a difference. */
export function makeReconciliationRows(seed: string) {
  const ids = idsOf(seed)
  const owner = { projectId: ids.project, sandbox: true, gatewayConfigurationId: ids.gatewayConfiguration }
  const written = { createdAt: AT, updatedAt: AT }
  const reconciliation: ReconciliationRow = {
    ...owner,
    ...written,
    id: `rec_${seed}`,
    source: 'list',
    day: '2026-11-20',
    fileHash: null,
    status: 'completed',
    tries: 2,
    nextTryAt: null,
    failure: null,
    listCursor: null,
    isListed: true,
    linesCount: 7,
    differencesCount: 1,
    judgedUntil: AT,
    completedAt: AT,
  }
  const waitingReconciliation: ReconciliationRow = {
    ...reconciliation,
    id: `rec_${seed}waiting`,
    source: 'file',
    day: null,
    fileHash: 'e'.repeat(64),
    status: 'waiting',
    nextTryAt: AT,
    failure: HOSTILE,
    listCursor: HOSTILE,
    isListed: false,
    completedAt: null,
  }
  const reconciliationDifference: ReconciliationDifferenceRow = {
    ...owner,
    ...written,
    id: `rec_diff_${seed}`,
    reconciliationId: reconciliation.id,
    kind: 'amount',
    status: 'resolved',
    operationId: ids.attempt,
    transactionId: ids.transaction,
    type: 'capture',
    ourState: 'succeeded',
    ourAmountMinor: 2_900,
    ourCurrency: 'EUR',
    lineId: HOSTILE,
    gatewayReference: HOSTILE,
    gatewayState: 'booked',
    gatewayAmountMinor: 2_899,
    gatewayCurrency: 'EUR',
    gatewayBookedAt: AT,
    resolvedAt: AT,
    resolvedBy: `person:${ids.person}`,
    resolution: HOSTILE,
  }
  return { reconciliation, waitingReconciliation, reconciliationDifference }
}
