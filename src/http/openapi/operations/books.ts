import { z } from 'zod'
import { EXPORT_TABLES, type ExportName } from '../../../persistence/queries/exports/export-tables.ts'
import { RESOLUTION } from '../../schemas/resolution-input.ts'
import { SETTLEMENT_FILE } from '../../schemas/settlement-file-input.ts'
import { reconciliation, reconciliationDifference } from '../answers/reconciliation.ts'
import { type Operation, ok, type Refusal } from './operation.ts'

const WRONG_RANGE: Refusal = [
  'request.validation.invalid-date',
  'the range is missing, none, ends before it begins, or is longer than 31 days',
]

/** An export has the rows of a date range, the oldest first. */
function exportOf(name: ExportName, id: string, plural: string, more: string): Operation {
  const columns = EXPORT_TABLES[name].columns.map((column) => `\`${column.name}\``)
  return {
    id,
    tag: 'Books',
    summary: `Export ${plural}`,
    description: `${more} CSV by RFC 4180 in UTF-8, the oldest first, of those that were created in a date range. Columns: ${columns.join(', ')}. Later versions add columns behind the last. Amounts are decimals in the currency of their row, instants are in UTC. A text that a spreadsheet would take for a formula has an apostrophe in front. A file whose connection ends early is not whole.`,
    says: 'The table, with a line of headers.',
    answers: { 200: z.string() },
    mediaType: 'text/csv',
    query: ['From', 'Until'],
    refuses: [WRONG_RANGE, ['request.still-processing', 'three exports of the caller are under way']],
  }
}

/** Reconciliations and their differences, and exports. */
export const BOOK_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /exports/transactions.csv': exportOf(
    'transactions',
    'exportTransactions',
    'transactions',
    'Payments as they stand now.',
  ),
  'GET /exports/operations.csv': exportOf(
    'operations',
    'exportOperations',
    'operations',
    'What became of every step, by the date of its result: what moved money has `is_accountable` true.',
  ),
  'GET /exports/refunds.csv': exportOf('refunds', 'exportRefunds', 'refunds', 'Refunds as they stand now.'),
  'POST /gateway-configurations/:id/settlement-files': {
    id: 'handInSettlementFile',
    tag: 'Books',
    summary: 'Hand in a report of a gateway',
    description:
      'For gateways that are not asked for a list: Adyen, whose *Settlement details report* is taken as it is downloaded, 1 MiB and 10,000 lines at most. A larger one is handed in in parts, each with the line of headers. Its lines are stored, and compared within a minute. The same report again is the same reconciliation.',
    request: { name: 'SettlementFileInput', description: 'A report.', input: SETTLEMENT_FILE },
    says: 'The reconciliation that will compare it.',
    answers: ok({ reconciliation }),
    expands: 'reconciliation',
    refuses: [
      ['request.validation.invalid-state', 'no report is taken of the gateway'],
      ['request.validation.error', 'it is no report of the gateway, or has no line of the account'],
    ],
  },
  'GET /reconciliations/:id': {
    id: 'retrieveReconciliation',
    tag: 'Books',
    summary: 'Retrieve a reconciliation',
    says: 'The reconciliation.',
    answers: ok({ reconciliation }),
    expands: 'reconciliation',
  },
  'GET /reconciliation-differences/:id': {
    id: 'retrieveReconciliationDifference',
    tag: 'Books',
    summary: 'Retrieve a difference',
    says: 'The difference.',
    answers: ok({ reconciliation_difference: reconciliationDifference }),
    expands: 'reconciliation_difference',
  },
  'POST /reconciliation-differences/:id/resolve': {
    id: 'resolveReconciliationDifference',
    tag: 'Books',
    summary: 'Resolve a difference',
    description:
      'Says that nothing is left to be done about it, and why; who has said so is in the audit log. It moves no money and changes no payment. It is not found again.',
    request: { name: 'ResolutionInput', description: 'Why it is none any more.', input: RESOLUTION },
    says: 'The resolved difference.',
    answers: ok({ reconciliation_difference: reconciliationDifference }),
    expands: 'reconciliation_difference',
    refuses: [
      ['request.validation.invalid-state', 'it is resolved already'],
      ['request.validation.error', 'there is no reason, or it is longer than 500 characters'],
    ],
  },
}
