import { RESOLUTION } from '../../schemas/resolution-input.ts'
import { reconciliation, reconciliationDifference } from '../answers/reconciliation.ts'
import { type Operation, ok } from './operation.ts'

/** Reconciliations and their differences. */
export const BOOK_OPERATIONS: Readonly<Record<string, Operation>> = {
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
