import { z } from 'zod'
import { type Endpoint, endpoint, type Refusal } from '../../http/endpoint.ts'
import { listEndpoint } from '../../http/lists/list-endpoint.ts'
import { retrieve } from '../../http/lists/retrieve.ts'
import { fewAtOnce } from '../../http/middleware/few-at-once.ts'
import { exampleId } from '../../http/openapi/example-id.ts'
import { reconciliation, reconciliationDifference } from '../../objects/reconciliation.ts'
import type { ExportName } from '../../persistence/queries/exports/export-tables.ts'
import { EXPORT_TABLES } from '../../persistence/queries/exports/export-tables.ts'
import { ok } from '../answers.ts'
import * as example from '../examples/index.ts'
import { shown } from '../examples/shown.ts'
import { csvHeader } from './csv.ts'
import { EXPORT_PARAMETERS } from './export-range.ts'
import { exportCsv } from './exports.ts'
import { resolveReconciliationDifference } from './reconciliation-differences.ts'
import { RESOLUTION } from './resolution-input.ts'
import { SETTLEMENT_FILE, SETTLEMENT_FILE_BODY } from './settlement-file-input.ts'
import { handInSettlementFile } from './settlement-files.ts'

const WRONG_RANGE: Refusal = [
  'request.validation.invalid-date',
  'the range is missing, none, ends before it begins, or is longer than 31 days',
]

/** An export reads the database as long as its caller takes it: one of each table at once. */
const inTurn = fewAtOnce(3, 'Three exports of yours are still under way.')

/** An export has the rows of a date range, the oldest first. */
function exportOf(name: ExportName, id: string, more: string): Endpoint {
  const columns = EXPORT_TABLES[name].columns.map((column) => `\`${column.name}\``)
  return endpoint(`GET /exports/${name}.csv`, {
    id,
    // The answer is a file of any length, which `fetch` or `curl` writes to a disk as it comes.
    method: null,
    tag: 'Books',
    summary: `Export ${name}`,
    description: `${more} CSV by RFC 4180 in UTF-8, the oldest first, of those that were created in a date range. Columns: ${columns.join(', ')}. Later versions add columns behind the last. Amounts are decimals in the currency of their row, instants are in UTC. A text that a spreadsheet would take for a formula has an apostrophe in front. A file whose connection ends early is not whole.`,
    access: { permission: 'read', query: EXPORT_PARAMETERS },
    says: 'The table, with a line of headers.',
    answers: { 200: z.string() },
    // The head of the file; what follows is in the form of the lists.
    examples: () => ({ 200: { example: csvHeader(EXPORT_TABLES[name]) } }),
    mediaType: 'text/csv',
    query: ['From', 'Until'],
    refuses: [WRONG_RANGE, ['request.still-processing', 'three exports of the caller are under way']],
    run: (deps) => [inTurn, exportCsv(deps, name)],
  })
}

export const BOOKS: readonly Endpoint[] = [
  exportOf('transactions', 'exportTransactions', 'Payments as they stand now.'),
  exportOf(
    'operations',
    'exportOperations',
    'What became of every step, by the date of its result: what moved money has `is_accountable` true.',
  ),
  exportOf('refunds', 'exportRefunds', 'Refunds as they stand now.'),
  listEndpoint('GET /reconciliations', {
    id: 'listReconciliations',
    method: 'reconciliations.list',
    tag: 'Books',
    summary: 'List reconciliations',
    list: 'reconciliations',
    resource: 'reconciliation',
    notes: 'One for each gateway configuration and day, and one for each file that was handed in.',
    shows: 'Reconciliation',
    example: () => example.reconciliation,
  }),
  listEndpoint('GET /reconciliation-differences', {
    id: 'listReconciliationDifferences',
    method: 'reconciliationDifferences.list',
    tag: 'Books',
    summary: 'List differences of reconciliations',
    list: 'reconciliation_differences',
    resource: 'reconciliation_difference',
    notes: '`filter=status:open` lists what is left to be followed up.',
    shows: 'ReconciliationDifference',
    example: () => example.reconciliationDifference,
  }),
  endpoint('POST /gateway-configurations/:id/settlement-files', {
    id: 'handInSettlementFile',
    logs: [],
    method: 'gatewayConfigurations.handInSettlementFile',
    tag: 'Books',
    summary: 'Hand in a report of a gateway',
    access: { permission: 'configuration' },
    description:
      'For gateways that are not asked for a list: Adyen, whose *Settlement details report* is taken as it is downloaded, 1 MiB and 10,000 lines at most. A larger one is handed in in parts, each with the line of headers. Its lines are stored, and compared within a minute. The same report again is the same reconciliation.',
    body: {
      name: 'SettlementFileInput',
      description: 'A report.',
      input: SETTLEMENT_FILE,
      limits: SETTLEMENT_FILE_BODY,
      example: {
        content: [
          'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Batch Number',
          `Shop,ShopEU,8835513412345678,${exampleId('operation', 'capture')},visa,2026-11-21 10:00:00,CET,Settled,8825513498765432,EUR,,129.90,12`,
        ].join('\n'),
      },
    },
    says: 'The reconciliation that will compare it.',
    answers: ok({ reconciliation }),
    expands: 'reconciliation',
    refuses: [
      ['request.validation.invalid-state', 'no report is taken of the gateway'],
      ['request.validation.error', 'it is no report of the gateway, or has no line of the account'],
    ],
    examples: () => shown({ reconciliation: example.handedIn }),
    run: handInSettlementFile,
  }),
  endpoint('GET /reconciliations/:id', {
    id: 'retrieveReconciliation',
    method: 'reconciliations.retrieve',
    tag: 'Books',
    summary: 'Retrieve a reconciliation',
    access: { permission: 'read' },
    says: 'The reconciliation.',
    answers: ok({ reconciliation }),
    expands: 'reconciliation',
    examples: () => shown({ reconciliation: example.reconciliation }),
    run: (deps) => retrieve(deps, 'reconciliation'),
  }),
  endpoint('GET /reconciliation-differences/:id', {
    id: 'retrieveReconciliationDifference',
    method: 'reconciliationDifferences.retrieve',
    tag: 'Books',
    summary: 'Retrieve a difference',
    access: { permission: 'read' },
    says: 'The difference.',
    answers: ok({ reconciliation_difference: reconciliationDifference }),
    expands: 'reconciliation_difference',
    examples: () => shown({ reconciliation_difference: example.reconciliationDifference }),
    run: (deps) => retrieve(deps, 'reconciliation_difference'),
  }),
  endpoint('POST /reconciliation-differences/:id/resolve', {
    id: 'resolveReconciliationDifference',
    method: 'reconciliationDifferences.resolve',
    tag: 'Books',
    summary: 'Resolve a difference',
    access: { permission: 'configuration' },
    description:
      'Says that nothing is left to be done about it, and why; who has said so is in the audit log. It moves no money and changes no payment. It is not found again.',
    body: {
      name: 'ResolutionInput',
      description: 'Why it is none any more.',
      input: RESOLUTION,
      example: { reason: 'Booked by hand in the dashboard of the gateway, order 000042.' },
    },
    says: 'The resolved difference.',
    answers: ok({ reconciliation_difference: reconciliationDifference }),
    expands: 'reconciliation_difference',
    refuses: [
      ['request.validation.invalid-state', 'it is resolved already'],
      ['request.validation.error', 'there is no reason, or it is longer than 500 characters'],
    ],
    examples: () => shown({ reconciliation_difference: example.resolvedDifference }),
    run: resolveReconciliationDifference,
  }),
]
