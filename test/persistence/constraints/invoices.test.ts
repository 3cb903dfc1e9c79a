import { afterAll, beforeAll, describe, test } from '@jest/globals'
import { InvoiceEntity } from '../../../src/persistence/entities/invoice.ts'
import { InvoiceDetailEntity } from '../../../src/persistence/entities/invoice-detail.ts'
import { another, type ConstraintStage, mine, owner, startConstraintStage } from './stage.ts'

let stage: ConstraintStage

beforeAll(async () => {
  stage = await startConstraintStage()
})
afterAll(() => stage.database.drop())

describe('the database refuses', () => {
  test.each([
    ['an invoice', InvoiceEntity, { ...another.invoice, id: 'iv_third' }],
    ['a line', InvoiceDetailEntity, another.invoiceDetail],
  ])('%s only as the cases below change it', async (_, entity, row) => {
    await stage.accepted(entity, row)
  })

  test('an invoice over nothing, unless it only verifies a source', async () => {
    const nothing = { ...another.invoice, id: 'iv_zero', amountMinor: 0 }
    await stage.refused(InvoiceEntity, { ...nothing, verification: false }, 'nothing_only_to_verify')
    await stage.refused(InvoiceEntity, { ...nothing, amountMinor: -1 }, 'nothing_only_to_verify')
  })

  test('a second invoice with the same reference', async () => {
    const row = { ...another.invoice, id: 'iv_third', referenceId: mine.invoice.referenceId }
    await stage.refused(InvoiceEntity, row, 'invoice_reference')
  })

  test('an invoice with a token and no customer', async () => {
    const row = { ...another.invoice, id: 'iv_third', customerId: null, tokenId: 'tok_mine' }
    await stage.refused(InvoiceEntity, row, 'token_has_its_customer')
  })

  test('an invoice of a customer of another project', async () => {
    const row = { ...another.invoice, id: 'iv_third', tokenId: null, customerId: 'cust_theirs' }
    await stage.refused(InvoiceEntity, row, /^invoice_.*customer_id_fkey/)
  })

  test('an invoice that waits for an end that it does not have', async () => {
    const row = { ...another.invoice, id: 'iv_third', expiresAt: null, awaitsExpiry: true }
    await stage.refused(InvoiceEntity, row, 'only_an_end_is_awaited')
  })

  test.each([
    ['of an invoice of another project', { ...owner }, /_fkey$/],
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
    await stage.refused(InvoiceDetailEntity, { ...another.invoiceDetail, ...change }, constraint)
  })
})
