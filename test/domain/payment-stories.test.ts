import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { decide } from '../../domain/decision.ts'
import type { Outcome } from '../../domain/operation.ts'
import { applyOutcome, beginAttempt, nextDue, remainingMinor } from '../../domain/payment.ts'
import {
  AT,
  authorizeCommand,
  captureCommand,
  fresh,
  HOUR_MS,
  incrementCommand,
  OPERATION_OF,
  voidCommand,
} from './payment-builders.ts'

describe('any sequence of commands and outcomes', () => {
  const amounts = fc.option(fc.integer({ min: -10, max: 4_000 }), { nil: null })
  const commands = fc.oneof(
    fc
      .record({ incremental: fc.boolean(), isSale: fc.boolean() })
      .map(({ incremental, isSale }) => authorizeCommand({ incremental, capture: isSale ? captureCommand() : null })),
    amounts.map(captureCommand),
    fc.integer({ min: -10, max: 4_000 }).map(incrementCommand),
    amounts.map((amountMinor) => voidCommand(amountMinor)),
    fc.constant(voidCommand(null, 'authorization_expired')),
  )
  const said = fc.constantFrom<Outcome['kind'][]>('approved', 'declined', 'unknown', 'pending')
  const steps = fc.array(fc.record({ command: commands, said, found: said, after: fc.integer({ min: 0, max: 72 }) }), {
    maxLength: 30,
  })

  test('never moves money that was not authorized, and keeps the same books as the gateway', () => {
    fc.assert(
      fc.property(steps, (story) => {
        let payment = fresh
        let at = AT
        // What the gateway holds, from its own answers alone.
        const gateway = { authorized: 0, captured: 0, released: 0 }
        for (const { command, said, found, after } of story) {
          at += after * HOUR_MS
          const decision = decide(payment, command, at)
          if (decision.kind === 'answer') continue
          const type = OPERATION_OF[command.kind]
          const isExpiry = command.kind === 'void' && command.reason !== null
          const attempt = { type, amountMinor: decision.amountMinor, begunAt: at, isExpiry }
          payment = beginAttempt(payment, { operationId: 'tr_op_1', type }, command, at).payment
          payment = applyOutcome(payment, attempt, said).payment
          // An outcome that is not certain is looked up, and may be uncertain once more.
          if (payment.attemptInFlight !== null) payment = applyOutcome(payment, attempt, found).payment
          if (payment.attemptInFlight !== null) payment = applyOutcome(payment, attempt, 'declined').payment
          const certain = [said, found].find((kind) => kind === 'approved' || kind === 'declined') ?? 'declined'
          if (certain === 'approved' || isExpiry) {
            if (type === 'authorization' || type === 'increment_authorization')
              gateway.authorized += attempt.amountMinor
            if (type === 'capture') gateway.captured += attempt.amountMinor
            if (type === 'void') gateway.released += attempt.amountMinor
            if (type === 'capture') gateway.released = gateway.authorized - gateway.captured
          }

          expect(payment.attemptInFlight).toBeNull()
          expect(payment).toMatchObject({
            authorizedMinor: gateway.authorized,
            capturedMinor: gateway.captured,
            voidedMinor: gateway.released,
          })
          expect(remainingMinor(payment)).toBeGreaterThanOrEqual(0)
          expect(payment.amountMinor).toBe(2_900 + payment.incrementedMinor)
          // Exactly a payment that holds money waits for the clock.
          expect(nextDue(payment) !== null).toBe(payment.status === 'authorized')
          expect(remainingMinor(payment) > 0).toBe(payment.status === 'authorized')
        }
      }),
      { numRuns: 500 },
    )
  })
})
