import { CARD } from '../endpoints.ts'
import { type Case, payment } from './case.ts'

export const PAYMENTS: Case[] = [
  ...payment('no source', { source: undefined }, 'source', 'request.validation.missing-source'),
  ...payment('an empty source', { source: '' }, 'source', 'request.validation.missing-source'),
  ...payment('a number for a source', { source: 1 }, 'source', 'request.source.invalid'),
  ...payment('an object for a source', { source: { id: 'card_1' } }, 'source', 'request.source.invalid'),
  ...payment('a source that is no id', { source: 'x' }, 'source', 'request.source.invalid'),
  ...payment('a card number for a source', { source: CARD.number }, 'source', 'request.source.invalid'),
  ...payment('a source with a NUL', { source: 'card_\u0000' }, 'source', 'request.source.invalid'),
  ...payment(
    'a source of 16385 characters',
    { source: `gway_req_${'x'.repeat(16_376)}` },
    'source',
    'request.source.invalid',
  ),
  ...payment('an operation for a source', { source: 'tr_op_1' }, 'source', 'request.source.invalid'),
  ...payment('an invoice for a source', { source: 'iv_1' }, 'source', 'request.source.invalid'),
  ...payment('a token without its id', { source: 'tok_' }, 'source', 'request.source.invalid'),
  ...payment('a challenge that nobody set', { source: 'gway_req_e30=' }, 'source', 'request.source.invalid'),
  ...payment(
    'a capture more than 7 days away',
    { auto_capture_at: '2026-11-28T09:00:00.001Z' },
    'auto_capture_at',
    'request.validation.invalid-date',
  ),
  ...payment(
    'more than the invoice',
    { capture_amount: '29.01', auto_capture_at: '2026-11-22T09:00:00Z' },
    'capture_amount',
    'request.validation.invalid-amount',
  ),
  ...payment(
    'an amount to capture although nothing is captured',
    { capture_amount: '29.00', authorize_only: true },
    'capture_amount',
    'request.validation.invalid-amount',
  ),
  [
    'an amount to capture without a time for it',
    '/invoices/:id/authorize',
    { capture_amount: '29.00' },
    'capture_amount',
    'request.validation.invalid-amount',
  ],
  ...payment('an unknown type of capture', { capture_type: 'x' }, 'capture_type', 'request.validation.error'),
  ...payment(
    'a capture that is not the last, where none is made',
    { capture_type: 'non-final', authorize_only: true },
    'capture_type',
    'service.not-supported',
  ),
  ...payment(
    'a scheduled capture that is not the last',
    { capture_type: 'non-final', auto_capture_at: '2026-11-22T09:00:00Z' },
    'capture_type',
    'service.not-supported',
  ),
  ...payment('an unknown scheme', { preferred_scheme: 'x' }, 'preferred_scheme', 'request.validation.invalid-scheme'),
  ...payment(
    'details of an invoice that has none',
    { invoice_detail_ids: ['iv_det_1'] },
    'invoice_detail_ids',
    'request.validation.invalid-id',
  ),
  ...payment(
    'details that are no list',
    { invoice_detail_ids: 'iv_det_1' },
    'invoice_detail_ids',
    'request.validation.invalid-id',
  ),
  ...payment(
    'a card to be saved for nobody',
    { save_source: true },
    'save_source',
    'request.validation.missing-customer',
  ),
  ...payment(
    'a client secret that is no text',
    { client_secret: 1 },
    'client_secret',
    'request.validation.invalid-type',
  ),
  ...payment('an authentication only', { authenticate_only: true }, 'authenticate_only', 'service.not-supported'),
  ...payment(
    'an authentication made elsewhere, in part',
    { external_three_d_s: { eci: '05', trans_status: 'Y', version: '2.2.0', cavv: 'AAAA' } },
    'external_three_d_s.ds_trans_id',
    'request.validation.error',
  ),
  ...payment('a split', { split_allocations: [{ amount: '1' }] }, 'split_allocations', 'service.not-supported'),
  ...payment('metadata with a number', { metadata: { a: 1 } }, 'metadata.a', 'request.validation.invalid-metadata'),
  [
    'no amount',
    '/invoices/:id/increment_authorization',
    { amount: undefined },
    'amount',
    'request.validation.missing-amount',
  ],
  ['a source', '/invoices/:id/void', { source: 'card_1' }, 'source', 'request.validation.error'],
]

const refund = (what: string, change: Record<string, unknown>, name: string, errorType: string): Case => [
  what,
  '/invoices/:id/refunds',
  change,
  name,
  `request.validation.${errorType}`,
]

export const REFUNDS: Case[] = [
  refund('an unknown reason', { reason: 'regret' }, 'reason', 'invalid-type'),
  refund('a number for a reason', { reason: 1 }, 'reason', 'invalid-type'),
  refund('information of 1001 characters', { information: 'x'.repeat(1001) }, 'information', 'invalid-description'),
  refund('information with a NUL', { information: '\u0000' }, 'information', 'invalid-description'),
  refund('a number in metadata', { metadata: { a: 1 } }, 'metadata.a', 'invalid-metadata'),
  refund('lines that are no list', { invoice_detail_ids: 'iv_det_1' }, 'invoice_detail_ids', 'invalid-id'),
  refund('lines of another invoice', { invoice_detail_ids: ['iv_det_1'] }, 'invoice_detail_ids', 'invalid-id'),
  refund('a source', { source: 'card_1' }, 'source', 'error'),
]
