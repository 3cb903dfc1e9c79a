import { z } from 'zod'
import { endpoint, type Refusal, section } from '../../http/endpoint.ts'
import { fewAtOnce } from '../../http/middleware/few-at-once.ts'
import { exampleId } from '../../http/openapi/example-id.ts'
import type { ExportName } from '../../persistence/queries/exports/export-tables.ts'
import { EXPORT_TABLES } from '../../persistence/queries/exports/export-tables.ts'
import { shows } from '../answers.ts'
import { changing } from '../change.ts'
import { handedIn, resolvedDifference } from '../examples/books.ts'
import { lists, retrieves } from '../usual-endpoints.ts'
import { csvHeader } from './csv.ts'
import { EXPORT_PARAMETERS } from './export-range.ts'
import { exportCsv } from './exports.ts'
import { resolveReconciliationDifference } from './reconciliation-differences.ts'
import { RESOLUTION } from './resolution-input.ts'
import { SETTLEMENT_FILE, SETTLEMENT_FILE_BODY } from './settlement-file-input.ts'
import { handInSettlementFile } from './settlement-files.ts'

const WRONG_RANGE: Refusal = ['request.validation.invalid-date', 'the range is missing, none, or ends before it begins']

/** An export reads the database as long as its caller takes it: one of each table at once. */
const inTurn = fewAtOnce(3, 'Three exports of yours are still under way.')

/** An export has the rows of a date range, the oldest first. */
function exportOf(name: ExportName, id: string, more: string) {
  const columns = EXPORT_TABLES[name].columns.map((column) => `\`${column.name}\``)
  return endpoint(`GET /exports/${name}.csv`, {
    id,
    // The answer is a file of any length, which `fetch` or `curl` writes to a disk as it comes.
    method: null,
    summary: `Export ${name}`,
    description: `${more} CSV by RFC 4180 in UTF-8, the oldest first, of those that were created in a date range. Columns: ${columns.join(', ')}. Later versions add columns behind the last. Amounts are decimals in the currency of their row, instants are in UTC. A text that a spreadsheet would take for a formula has an apostrophe in front. A file whose connection ends early is not whole.`,
    access: { permission: 'read', query: EXPORT_PARAMETERS },
    answers: {
      says: 'The table, with a line of headers.',
      bodies: { 200: z.string() },
      // The head of the file; what follows is in the form of the lists.
      examples: { 200: { example: csvHeader(EXPORT_TABLES[name].columns) } },
    },
    mediaType: 'text/csv',
    query: ['From', 'Until'],
    refuses: [WRONG_RANGE, ['request.still-processing', 'three exports of the caller are under way']],
    run: (deps) => [inTurn, exportCsv(deps, name)],
  })
}

export const BOOKS = section({ tag: 'Books', says: 'Our books compared with those of your gateways.' }, [
  exportOf('transactions', 'exportTransactions', 'Payments as they stand now.'),
  exportOf(
    'operations',
    'exportOperations',
    'What became of every step, by the date of its result: what moved money has `is_accountable` true.',
  ),
  exportOf('refunds', 'exportRefunds', 'Refunds as they stand now.'),
  lists('GET /reconciliations', 'reconciliation', {
    notes: 'One for each gateway configuration and day, and one for each file that was handed in.',
  }),
  lists('GET /reconciliation-differences', 'reconciliation_difference', {
    summary: 'List differences of reconciliations',
    notes: '`filter=status:open` lists what is left to be followed up.',
  }),
  endpoint('POST /gateway-configurations/:id/settlement-files', {
    id: 'handInSettlementFile',
    logs: [],
    method: 'gatewayConfigurations.handInSettlementFile',
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
    answers: shows('reconciliation', 'The reconciliation that will compare it.', handedIn),
    refuses: [
      ['request.validation.invalid-state', 'no report is taken of the gateway'],
      ['request.validation.error', 'it is no report of the gateway, or has no line of the account'],
    ],
    run: changing(handInSettlementFile),
  }),
  retrieves('GET /reconciliations/:id', 'reconciliation'),
  retrieves('GET /reconciliation-differences/:id', 'reconciliation_difference', {
    summary: 'Retrieve a difference',
    answers: shows('reconciliation_difference', 'The difference.'),
  }),
  endpoint('POST /reconciliation-differences/:id/resolve', {
    id: 'resolveReconciliationDifference',
    method: 'reconciliationDifferences.resolve',
    summary: 'Resolve a difference',
    access: { permission: 'configuration' },
    description:
      'Says that nothing is left to be done about it, and why; who has said so is in the audit log. It moves no money and changes no payment. It is not found again.',
    body: {
      name: 'ResolutionInput',
      description: 'Why the difference is settled.',
      input: RESOLUTION,
      example: { reason: 'Booked by hand in the dashboard of the gateway, order 000042.' },
    },
    answers: shows('reconciliation_difference', 'The resolved difference.', resolvedDifference),
    refuses: [
      ['request.validation.invalid-state', 'it is resolved already'],
      ['request.validation.error', 'there is no reason, or it is longer than 500 characters'],
    ],
    run: changing(resolveReconciliationDifference),
  }),
])
