import { ReconciliationEntity } from '../../../src/persistence/entities/reconciliation.ts'
import { ReconciliationDifferenceEntity } from '../../../src/persistence/entities/reconciliation-difference.ts'
import { AT, HOSTILE, rowsOf } from './values.ts'

/** A reconciliation that is done and one that is not, which have different columns, and a difference. */
export function makeReconciliationRows(seed: string) {
  const { ids, filled } = rowsOf(seed)
  const reconciliation = filled(ReconciliationEntity, {
    id: `rec_${seed}`,
    source: 'list',
    day: '2026-11-20',
    fileHash: null,
    status: 'completed',
    tries: 2,
    nextTryAt: null,
    failure: null,
    listCursor: null,
    linesCount: 7,
    differencesCount: 1,
  })
  const waitingReconciliation = filled(ReconciliationEntity, {
    ...reconciliation,
    id: `rec_${seed}waiting`,
    source: 'file',
    day: null,
    fileHash: 'e'.repeat(64),
    status: 'waiting',
    isListed: false,
    completedAt: null,
    failure: HOSTILE,
    listCursor: HOSTILE,
    nextTryAt: AT,
  })
  const reconciliationDifference = filled(ReconciliationDifferenceEntity, {
    id: `rec_diff_${seed}`,
    reconciliationId: reconciliation.id,
    kind: 'amount',
    status: 'resolved',
    type: 'capture',
    ourState: 'succeeded',
    ourAmountMinor: 2_900,
    ourCurrency: 'EUR',
    gatewayState: 'booked',
    gatewayAmountMinor: 2_899,
    gatewayCurrency: 'EUR',
    resolvedBy: `person:${ids.person}`,
  })
  return { reconciliation, waitingReconciliation, reconciliationDifference }
}
