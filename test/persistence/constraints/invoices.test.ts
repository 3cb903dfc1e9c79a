import { afterAll, beforeAll, describe, test } from '@jest/globals'
import { type ConstraintStage, mine, owner, startConstraintStage } from './stage.ts'

let stage: ConstraintStage

beforeAll(async () => {
  stage = await startConstraintStage()
})
afterAll(() => stage.database.drop())

describe('the database refuses', () => {
  test('an invoice and a line only as the cases below change them', async () => {
    await stage.accepted('invoice', { id: 'iv_third' })
    await stage.accepted('invoiceDetail')
  })

  test('an invoice over nothing, unless it only verifies a source', async () => {
    const third = { id: 'iv_third' }
    await stage.refused('invoice', { ...third, amountMinor: 0, verification: false }, 'nothing_only_to_verify')
    await stage.refused('invoice', { ...third, amountMinor: -1 }, 'nothing_only_to_verify')
  })

  test.each([
    ['a second invoice with the same reference', { referenceId: mine.invoice.referenceId }, 'invoice_reference'],
    ['an invoice with a token and no customer', { customerId: null, tokenId: 'tok_mine' }, 'token_has_its_customer'],
    [
      'an invoice of a customer of another project',
      { tokenId: null, customerId: 'cust_theirs' },
      /^invoice_.*customer_id_fkey/,
    ],
    [
      'an invoice that waits for an end that it does not have',
      { expiresAt: null, awaitsExpiry: true },
      'only_an_end_is_awaited',
    ],
  ])('%s', async (_, change, constraint) => {
    await stage.refused('invoice', { id: 'iv_third', ...change }, constraint)
  })

  test.each([
    ['of an invoice of another project', owner, /_fkey$/],
    ['in the place of another', { position: 1 }, 'invoice_detail_invoice_id_position_key'],
    ['without a price', { amountMinor: -1 }, 'invoice_detail_amount_minor_check'],
    ['of nothing', { quantity: 0 }, 'invoice_detail_quantity_check'],
    [
      'with more discount than it costs',
      { discountMinor: 3001, capturedMinor: 0, refundedMinor: 0 },
      'line_is_captured_once',
    ],
    ['of which more is captured than it costs', { capturedMinor: 2901 }, 'line_is_captured_once'],
    ['of which more is refunded than it costs', { refundedMinor: 2901 }, 'line_is_refunded_once'],
  ])('a line %s', async (_, change, constraint) => {
    await stage.refused('invoiceDetail', change, constraint)
  })
})
