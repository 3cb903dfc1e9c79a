import { section } from '../../http/endpoint.ts'
import { lists, retrieves } from '../usual-endpoints.ts'

export const TRANSACTIONS = section(
  { tag: 'Transactions', says: 'What became of payments: transactions, their refunds and disputes.' },
  [
    lists('GET /transactions', 'transaction'),
    lists('GET /invoices/:id/transactions', 'transaction', { of: 'invoice', single: 'transaction' }),
    lists('GET /customers/:id/transactions', 'transaction', { logs: [], of: 'customer' }),
    lists('GET /refunds', 'refund'),
    lists('GET /transactions/:id/refunds', 'refund', { of: 'transaction' }),
    lists('GET /invoices/:id/refunds', 'refund', {
      of: 'invoice',
      by: 'transaction_id',
      through: { resource: 'transaction', property: 'invoiceId' },
    }),
    lists('GET /disputes', 'dispute', {
      notes: 'What gateways have reported of chargebacks, retrieval requests and fraud.',
      only: { type: 'chargeback' },
    }),
    retrieves('GET /transactions/:id', 'transaction', { access: { permission: 'read', reads: 'transaction' } }),
    retrieves('GET /transactions/:id/refunds/:refund_id', 'refund', {
      method: 'transactions.retrieveRefund',
      refuses: [['resource.refund.not-found', 'the transaction has no such refund']],
      below: { owner: 'transaction', parameter: 'refund_id', property: 'transactionId' },
    }),
  ],
)
