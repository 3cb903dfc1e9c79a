import { describe, expect, test } from '@jest/globals'
import { movesMoney, suspendCommand } from '../../domain/block-reason.ts'
import { nextDue } from '../../domain/payment.ts'
import { AT, authorized, captureCommand, EXPIRES } from './payment-builders.ts'

const REFUSED = { kind: 'refused', code: 'request.project-suspended' }
const scheduled = authorized({ autoCaptureAt: AT })
const ofScheduler = captureCommand(2_900, { actor: 'scheduler' })

describe('a suspended project', () => {
  test('moves no money, and goes on with what moves none', () => {
    const kinds = ['authorize', 'capture', 'increment', 'refund', 'void', 'reverse-orphan', 'schedule-capture'] as const
    expect(kinds.filter((kind) => movesMoney({ kind }))).toEqual(['authorize', 'capture', 'increment', 'refund'])
  })

  test('has a command of the merchant refused, and the payment left as it was', () => {
    const held = suspendCommand(scheduled, captureCommand(), { isSecondStep: false, at: AT })
    expect(held.answer).toMatchObject(REFUSED)
    expect(held.payment).toBe(scheduled)
  })

  test('holds a scheduled capture, which comes again later each time', () => {
    let payment = scheduled
    let at = AT
    const waits: number[] = []
    for (let asked = 0; asked < 6; asked += 1) {
      const held = suspendCommand(payment, ofScheduler, { isSecondStep: false, at })
      expect(held.answer).toMatchObject(REFUSED)
      expect(held.payment.attemptsInFlight).toEqual([])
      const due = nextDue(held.payment)
      expect(due).toMatchObject({ kind: 'auto-capture', amountMinor: 2_900 })
      waits.push(((due?.at ?? 0) - at) / 1000)
      payment = held.payment
      at = due?.at ?? 0
    }
    expect(waits).toEqual([10, 60, 300, 900, 3600, 3600])
  })

  test('holds it until the authorization ends, and then lets it go', () => {
    const late = suspendCommand(scheduled, ofScheduler, { isSecondStep: false, at: EXPIRES - 1 }).payment
    expect(nextDue(late)).toMatchObject({ kind: 'auto-capture', at: EXPIRES })
    const over = suspendCommand(late, ofScheduler, { isSecondStep: false, at: EXPIRES }).payment
    expect(over).toMatchObject({ autoCaptureAt: null, autoCaptureRetryAt: null })
    expect(nextDue({ ...over, expiryAnnounced: true })).toMatchObject({ kind: 'expiry', at: EXPIRES })
  })

  test('has the capture of a sale told as pending, by whichever clock it is due', () => {
    const second = { isSecondStep: true, at: AT }
    expect(suspendCommand(scheduled, captureCommand(), second).answer).toEqual({ kind: 'pending' })
  })
})
