import { describe, expect, test } from '@jest/globals'
import { invoiceWith, TRANSACTIONS } from '../../src/api/examples/payment.ts'
import { errorExample } from '../../src/http/openapi/responses.ts'
import { clientView } from '../../src/objects/client-view.ts'
import { type CheckedAnswer, checkAnswer } from './answer-check.ts'

const invoice = { success: true, invoice: invoiceWith(TRANSACTIONS.captured) as Record<string, unknown> }

function check(change: Partial<CheckedAnswer>): () => void {
  const authorization = `Basic ${btoa('proj_1:secret')}`
  const asked = { method: 'GET', path: '/invoices/iv_1?expand=transaction', authorization, status: 200, body: invoice }
  return () => checkAnswer({ ...asked, ...change })
}

describe('a test client', () => {
  test('takes an answer that is as described', () => {
    expect(check({})).not.toThrow()
    expect(check({ status: 404, body: errorExample('resource.invoice.not-found') })).not.toThrow()
    expect(check({ path: '/nowhere', status: 404, body: errorExample('request.route-not-found') })).not.toThrow()
  })

  test('refuses a field that is not described, that is missing, or that has another form', () => {
    const { status: _, ...others } = invoice.invoice
    expect(check({ body: { ...invoice, invoice: { ...invoice.invoice, colour: 'red' } } })).toThrow('colour')
    expect(check({ body: { ...invoice, invoice: others } })).toThrow('status')
    expect(check({ body: { ...invoice, invoice: { ...invoice.invoice, amount: 129.9 } } })).toThrow('amount')
  })

  test('refuses a status that is not described, and a code that belongs to another one', () => {
    expect(check({ status: 201 })).toThrow('201 is not described')
    expect(check({ status: 400, body: errorExample('resource.invoice.not-found') })).toThrow('belongs to 404')
    expect(check({ status: 404, body: { ...errorExample('resource.invoice.not-found'), error_type: 'none' } })).toThrow(
      'error_type',
    )
  })

  test('refuses what a client is not to see', () => {
    const authorization = `Basic ${btoa('proj_1:')}`
    expect(check({ authorization })).toThrow('order_id')
    expect(check({ authorization, body: clientView(invoice) })).not.toThrow()
  })
})
