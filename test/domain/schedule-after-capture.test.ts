import { describe, expect, test } from '@jest/globals'
import { nextDue } from '../../domain/payment.ts'
import { AT, authorized, captureCommand, partCommand, step } from './payment-builders.ts'

const HOUR_MS = 60 * 60 * 1000
const scheduled = authorized({ autoCaptureAt: AT + HOUR_MS })

describe('a scheduled capture', () => {
  test('takes what a capture of a part by hand has left, if that one was not final', () => {
    const { payment } = step(scheduled, partCommand(500), 'approved')
    expect(nextDue(payment)).toMatchObject({ kind: 'auto-capture', at: AT + HOUR_MS, amountMinor: 2400 })
  })

  test('ends with a final capture by hand', () => {
    const { payment } = step(scheduled, captureCommand(500), 'approved')
    expect(payment).toMatchObject({ autoCaptureAt: null, voidedMinor: 2400 })
    expect(nextDue(payment)).toBeNull()
  })

  test('waits while the money is disputed, and is not asked for in vain', () => {
    const { payment } = step(scheduled, partCommand(500), 'approved')
    expect(nextDue({ ...payment, status: 'chargeback-initiated' })).not.toMatchObject({ kind: 'auto-capture' })
    expect(nextDue({ ...payment, status: 'solved' })).toMatchObject({ kind: 'auto-capture' })
  })
})
