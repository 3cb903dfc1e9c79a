import { describe, expect, test } from '@jest/globals'
import { type InvoiceFacts, readPaymentOptions } from '../../../src/api/payments/payment-options.ts'
import { makeRows } from '../../persistence/rows.ts'
import {
  expectRefused,
  jsonBody,
  MERCHANT,
  NO_AMOUNTS,
  NO_FLAGS,
  NO_FUTURE_INSTANTS,
  NOW,
  NUL,
  text,
  withValue,
} from '../refusals.ts'

const SOURCE = { source: `card_${'a'.repeat(32)}` }
const FACTS: InvoiceFacts = {
  currency: 'EUR',
  sandbox: true,
  customerId: null,
  details: [],
  caller: MERCHANT,
  sentSecret: null,
  hasAskedCustomer: false,
  isClientSecret: () => false,
  now: NOW,
}
const read = (fields: Record<string, unknown>, facts: Partial<InvoiceFacts> = {}) =>
  readPaymentOptions(jsonBody(fields), { ...FACTS, ...facts })

const AUTHENTICATED_ELSEWHERE = {
  eci: '05',
  trans_status: 'Y',
  version: '2.2.0',
  cavv: 'A'.repeat(28),
  ds_trans_id: '11111111-2222-4333-8444-555555555555',
}

const NO_SOURCES = [1, { id: 'card_1' }, 'x', '4242424242424242', `card_${NUL}`, `gway_req_${text(16_376)}`, 'tr_op_1']
const FLAGS = ['authorize_only', 'incremental', 'override_mac_blocking', 'allow_fallback_to_sale', 'save_source']

describe('the options of a payment are refused', () => {
  test.each<[field: string, code: string, ...values: unknown[]]>([
    ['source', 'request.source.invalid', ...NO_SOURCES, 'iv_1', 'tok_', 'gway_req_e30='],
    ['auto_capture_at', 'invalid-date', ...NO_FUTURE_INSTANTS, '2026-11-28T09:00:00.001Z'],
    ['capture_amount', 'invalid-amount', ...NO_AMOUNTS],
    ['capture_type', 'error', 'x'],
    ['preferred_scheme', 'invalid-scheme', 'x'],
    ['invoice_detail_ids', 'invalid-id', ['iv_det_1'], 'iv_det_1', [], '', Array(1_001).fill('iv_det_1')],
    ['save_source', 'missing-customer', true],
    ['client_secret', 'invalid-type', 1],
    ['authenticate_only', 'service.not-supported', true],
    ['split_allocations', 'service.not-supported', [{ amount: '1' }]],
    ['metadata.a', 'invalid-metadata', [1]],
    ...FLAGS.map((flag): [string, string, ...unknown[]] => [flag, 'invalid-type', ...NO_FLAGS]),
  ])('for %s with %s', (field, code, ...values) => {
    for (const value of values) expectRefused(() => read(withValue(SOURCE, field, value)), field, code)
  })

  test('without what an authentication that was made elsewhere needs', () => {
    const { ds_trans_id: _, ...authentication } = AUTHENTICATED_ELSEWHERE
    const options = { ...SOURCE, external_three_d_s: authentication }
    expectRefused(() => read(options), 'external_three_d_s.ds_trans_id', 'error')
  })

  test.each(['4242424242424242', '378282246310005', 'x4242-4242-4242-4242', '4242_4242_4242_4242', '4222222222222.1'])(
    'for the card number %s as the id of the first payment of a series',
    (id) => {
      const name = 'initial_scheme_transaction_id'
      expectRefused(() => read({ ...SOURCE, [name]: id }), name, 'error')
    },
  )
})

test.each([
  ['override_mac_blocking', true],
  ['initial_scheme_transaction_id', '016150703802094'],
  ['external_three_d_s', AUTHENTICATED_ELSEWHERE],
])('a client sets no %s, unless its project allows that', (name, value) => {
  const client = { ...MERCHANT, kind: 'client' } as const
  const options = { ...SOURCE, [name]: value }
  expectRefused(
    () => read(options, { caller: client }),
    name,
    'error',
    /, unless the project has allows_client_overrides$/,
  )
  expect(read(options, { caller: { ...client, allowsClientOverrides: true } })).toMatchObject(SOURCE)
})

describe('a source is not saved', () => {
  const save = (facts: Partial<InvoiceFacts>) => () =>
    read({ ...SOURCE, save_source: true }, { customerId: 'cust_1', ...facts })

  test.each([
    ['without the client secret of the invoice', { sentSecret: null }],
    ['with another one', { sentSecret: 'ivs_other' }],
  ])('%s', (_, facts) => {
    expectRefused(save(facts), 'client_secret', 'invalid-client-secret')
  })

  test('unless the secret of its invoice is sent', () => {
    expect(save({ sentSecret: 'ivs_own', isClientSecret: (secret) => secret === 'ivs_own' })().saveSource).toBe(true)
  })
})

describe('lines of the invoice are refused', () => {
  const { invoiceDetail } = makeRows('lines')
  const details = [invoiceDetail, { ...invoiceDetail, id: 'iv_det_2' }]
  const ids = details.map(({ id }) => id)
  const choose = (fields: object) => () => read({ ...SOURCE, ...fields }, { details })

  test('with an amount that is not theirs', () => {
    expect(choose({ invoice_detail_ids: ids })().selection).toEqual({ amountMinor: 5_800, detailIds: ids })
    expectRefused(choose({ invoice_detail_ids: ids, capture_amount: '57.99' }), 'capture_amount', 'invalid-amount')
  })

  test.each([
    ['of another invoice', ['iv_det_other']],
    ['named twice', [ids[0], ids[0]]],
  ])('%s', (_, chosen) => {
    expectRefused(choose({ invoice_detail_ids: chosen }), 'invoice_detail_ids', 'invalid-id')
  })
})

test('an instant exactly seven days ahead is taken, and once the customer was asked one that has passed', () => {
  const at = (instant: string, facts: Partial<InvoiceFacts> = {}) =>
    read({ ...SOURCE, auto_capture_at: instant }, facts).autoCaptureAt?.toISOString()
  expect(at('2026-11-28T09:00:00Z')).toBe('2026-11-28T09:00:00.000Z')
  expect(at('2026-11-21T08:59:59Z', { hasAskedCustomer: true })).toBe('2026-11-21T08:59:59.000Z')
  const tooLate = () => at('2026-11-28T09:00:00.001Z', { hasAskedCustomer: true })
  expectRefused(tooLate, 'auto_capture_at', 'invalid-date')
})

test('every option that asks for nothing is taken', () => {
  const nothing = {
    authorize_only: true,
    auto_capture_at: null,
    capture_amount: null,
    capture_type: 'final',
    invoice_detail_ids: null,
    override_mac_blocking: true,
    allow_fallback_to_sale: true,
    save_source: false,
    client_secret: 'ivs_x',
    enable_three_d_s_2: true,
    synchronous: true,
    authenticate_only: false,
    metadata: {},
    device: {},
    split_allocations: [],
    external_three_d_s: null,
  }
  expect(read({ ...SOURCE, ...nothing })).toMatchObject({
    ...SOURCE,
    authorizeOnly: true,
    autoCaptureAt: null,
    selection: { amountMinor: null, detailIds: null },
    saveSource: false,
    externalAuthentication: null,
  })
})
