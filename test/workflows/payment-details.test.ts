import { describe, expect, test } from '@jest/globals'
import type { Payment } from '../../domain/payment.ts'
import { instantText } from '../../domain/payment-words.ts'
import { describePayment } from '../../workflows/payment-details.ts'
import { authorized, EXPIRES } from '../domain/payment-builders.ts'

const facts = { invoiceId: 'iv_1', gatewayName: 'simulator', lastOutcome: null, earlierRunId: null }

describe('the page of a payment that nobody captures', () => {
  test.each<[string, Payment]>([
    ['before its merchant is told of the end', authorized()],
    ['after its merchant was told of the end', authorized({ expiryAnnounced: true })],
  ])('says when its money is released: %s', (_, payment) => {
    const release = `- Next: releases the money at ${instantText(EXPIRES)} unless it is captured before.`
    expect(describePayment(payment, facts).split('\n')).toContain(release)
  })
})
