import { describe, expect, test } from '@jest/globals'
import type { Payment } from '../../domain/payment.ts'
import { instantText } from '../../domain/payment-description.ts'
import { describePayment, summarizePayment } from '../../workflows/payment-details.ts'
import { authorized, completed, EXPIRES } from '../domain/payment-builders.ts'

const facts = { invoiceId: 'iv_1', gatewayName: 'simulator', lastOutcome: null, earlierRunId: null }

describe('the page of a payment that nobody captures', () => {
  test.each<[string, Payment]>([
    ['before its merchant is told of the end', authorized()],
    ['after its merchant was told of the end', authorized({ expiryAnnounced: true })],
  ])('says when its money is released: %s', (_, payment) => {
    const release = `- Next: releases the money at ${instantText(EXPIRES)} unless captured before.`
    expect(describePayment(payment, facts).split('\n')).toContain(release)
  })
})

test('the result of a run tells how much of the money went which way', () => {
  const payment = completed({ capturedMinor: 2_400, voidedMinor: 500, refundedMinor: 900 })
  expect(summarizePayment(payment, facts)).toMatchObject({
    authorized: 'EUR 29.00',
    captured: 'EUR 24.00',
    voided: 'EUR 5.00',
    refunded: 'EUR 9.00',
  })
})
