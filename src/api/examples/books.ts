import { exampleId } from '../../http/openapi/example-id.ts'
import { presentReconciliation, presentReconciliationDifference } from '../../objects/reconciliation.ts'
import type { ReconciliationRow } from '../../persistence/entities/reconciliation.ts'
import type { ReconciliationDifferenceRow } from '../../persistence/entities/reconciliation-difference.ts'
import { TRANSACTIONS } from './payment.ts'
import { at, exampleRow, OWNER } from './rows.ts'
import { accountRow } from './settings.ts'

const NEXT_NIGHT = at(17 * 60)

export const reconciliationRow = exampleRow<ReconciliationRow>({
  ...OWNER,
  id: exampleId('reconciliation'),
  gatewayConfigurationId: accountRow.id,
  source: 'list',
  day: '2026-11-21',
  status: 'completed',
  tries: 1,
  isListed: true,
  linesCount: 128,
  differencesCount: 1,
  judgedUntil: at(-9 * 60),
  completedAt: NEXT_NIGHT,
  createdAt: at(16 * 60),
  updatedAt: NEXT_NIGHT,
})

const differenceRow = exampleRow<ReconciliationDifferenceRow>({
  ...OWNER,
  id: exampleId('reconciliationDifference'),
  reconciliationId: reconciliationRow.id,
  gatewayConfigurationId: accountRow.id,
  kind: 'amount',
  status: 'open',
  operationId: exampleId('operation', 'capture'),
  transactionId: TRANSACTIONS.captured.id,
  type: 'capture',
  ourState: 'succeeded',
  ourAmountMinor: 12_990,
  ourCurrency: 'EUR',
  lineId: exampleId('operation', 'capture'),
  gatewayReference: 'sim_cap_3f0c9a5be1d24786a0f2c4d1',
  gatewayState: 'booked',
  gatewayAmountMinor: 12_989,
  gatewayCurrency: 'EUR',
  gatewayBookedAt: at(60),
  createdAt: NEXT_NIGHT,
  updatedAt: NEXT_NIGHT,
})

const RESOLVED_AT = at(24 * 60)

export const reconciliation = presentReconciliation(reconciliationRow)
export const handedIn = presentReconciliation({
  ...reconciliationRow,
  source: 'file',
  day: null,
  status: 'waiting',
  tries: 0,
  nextTryAt: NEXT_NIGHT,
  differencesCount: 0,
  judgedUntil: null,
  completedAt: null,
})
export const reconciliationDifference = presentReconciliationDifference(differenceRow)
export const resolvedDifference = presentReconciliationDifference({
  ...differenceRow,
  status: 'resolved',
  resolvedAt: RESOLVED_AT,
  resolvedBy: `api_key:${exampleId('apiKey')}`,
  resolution: 'The gateway has corrected it, letter of the 22nd.',
  updatedAt: RESOLVED_AT,
})
