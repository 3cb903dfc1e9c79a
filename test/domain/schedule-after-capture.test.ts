import { describe, expect, test } from '@jest/globals'
import type { DisputeStep } from '../../domain/dispute.ts'
import { type AttemptInFlight, nextDue } from '../../domain/payment.ts'
import { applyDispute } from '../../domain/payment-outcome.ts'
import { AT, attemptOf, authorized, captureCommand, partCommand, step } from './payment-builders.ts'

const HOUR_MS = 60 * 60 * 1000
const scheduled = authorized({ autoCaptureAt: AT + HOUR_MS })
const about = (step: DisputeStep) => ({ step, id: 'du_1', amountMinor: 500 })

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

  test('ends with a chargeback, which is told at once: disputed money is not captured further', () => {
    const { payment } = step(scheduled, partCommand(500), 'approved')
    for (const next of ['chargeback-created', 'chargeback-lost'] as const) {
      const { payment: disputed, fires } = applyDispute(payment, about(next))
      expect(disputed).toMatchObject({ autoCaptureAt: null, autoCaptureAmountMinor: null, autoCaptureRetryAt: null })
      expect(fires).toEqual([expect.stringContaining('transaction.chargeback'), 'transaction.operation.capture.failed'])
      expect(nextDue(disputed)).toMatchObject({ kind: 'expiry-announcement' })
      expect(applyDispute(disputed, about('chargeback-lost')).fires).not.toContain(
        'transaction.operation.capture.failed',
      )
    }
  })

  test('stays where no money is taken back: after an inquiry, and where the chargeback was won before it was heard of', () => {
    const { payment } = step(scheduled, partCommand(500), 'approved')
    for (const next of ['retrieval-request', 'fraud-notification', 'chargeback-won'] as const)
      expect(applyDispute(payment, about(next)).payment).toMatchObject({ autoCaptureAt: AT + HOUR_MS })
  })

  test('that is under way when a chargeback comes tells its own end, as does a capture that leaves nothing for it', () => {
    const { payment } = step(scheduled, partCommand(500), 'approved')
    const told = (attempt: Partial<AttemptInFlight>) => {
      const begun = { ...payment, attemptsInFlight: [attemptOf(attempt)] }
      const { payment: disputed, fires } = applyDispute(begun, about('chargeback-created'))
      expect(disputed.autoCaptureAt).toBeNull()
      return fires.includes('transaction.operation.capture.failed')
    }
    expect(told({ amountMinor: 500, isFinal: true })).toBe(false)
    expect(told({ amountMinor: 2_400, isFinal: false })).toBe(false)
    expect(told({ amountMinor: 500, isFinal: false })).toBe(true)
  })

  test('of money that is disputed is never asked for in vain', () => {
    const { payment } = step(scheduled, partCommand(500), 'approved')
    expect(nextDue({ ...payment, status: 'chargeback-initiated' })).not.toMatchObject({ kind: 'auto-capture' })
  })
})
