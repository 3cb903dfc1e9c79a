import { describe, expect, test } from '@jest/globals'
import { ALL_CAPABILITIES, type Capabilities, restrictCapabilities } from '../../domain/capabilities.ts'
import type { DecidedCommand } from '../../domain/command.ts'
import { decide } from '../../domain/decision.ts'
import type { Payment } from '../../domain/payment.ts'
import {
  AT,
  authorized,
  captureCommand,
  completed,
  incrementCommand,
  partCommand,
  partly,
  refundCommand,
  scheduleCommand,
  short,
  voidCommand,
  without,
} from './payment-builders.ts'

const NOT_SUPPORTED = 'request.gateway.operation-not-supported'

describe('what a gateway cannot do', () => {
  const raisable = authorized({ incremental: true })
  const refundedInPart = completed({ status: 'partially-refunded', refundedMinor: 900 })

  test.each<[string, Payment, keyof Capabilities, DecidedCommand, refused: boolean]>([
    ['a part', authorized(), 'partialCapture', captureCommand(2_899), true],
    ['all', authorized(), 'partialCapture', captureCommand(2_900), false],
    ['all that a void has left', authorized({ voidedMinor: 900 }), 'partialCapture', captureCommand(2_000), false],
    ['a part, later', authorized(), 'partialCapture', later(2_899), true],
    ['all, later', authorized(), 'partialCapture', later(null), false],
    ['the first of several', authorized(), 'multipleCaptures', partCommand(1_000), true],
    ['a part that releases the rest', authorized(), 'multipleCaptures', captureCommand(1_000), false],
    ['a void of a part', authorized(), 'partialVoid', voidCommand(900), true],
    ['a void of all', authorized(), 'partialVoid', voidCommand(2_900), false],
    ['a void of all that a capture has left', partly(), 'partialVoid', voidCommand(), false],
    ['an increment', raisable, 'incrementalAuthorization', incrementCommand(500), true],
    ['a refund', completed(), 'refund', refundCommand(), true],
    ['a refund of a part', completed(), 'partialRefund', refundCommand(2_899), true],
    ['a refund of all', completed(), 'partialRefund', refundCommand(), false],
    ['a refund of what an earlier one has left', refundedInPart, 'partialRefund', refundCommand(), true],
  ])('%s', (_, payment, name, command, isRefused) => {
    const decision = short(decide({ ...payment, capabilities: without(name) }, command, AT))

    expect(decision === NOT_SUPPORTED).toBe(isRefused)
    expect(typeof short(decide(payment, command, AT))).toBe('number')
  })

  function later(autoCaptureAmountMinor: number | null): DecidedCommand {
    return scheduleCommand({ autoCaptureAt: AT, autoCaptureAmountMinor })
  }
})

describe('what an account of a gateway allows', () => {
  test('is never more than its gateway can do', () => {
    expect(restrictCapabilities(without('refund'), { refund: true })).toEqual(without('refund'))
  })

  test('is less where the account says so', () => {
    expect(restrictCapabilities(ALL_CAPABILITIES, { partialVoid: false })).toEqual(without('partialVoid'))
    expect(restrictCapabilities(without('refund'), { partialVoid: false })).toEqual(without('refund', 'partialVoid'))
  })

  test('is what the gateway can do where the account says nothing', () => {
    expect(restrictCapabilities(ALL_CAPABILITIES, {})).toEqual(ALL_CAPABILITIES)
  })

  test('takes no currency and no scheme that its gateway does not take', () => {
    const some = { ...ALL_CAPABILITIES, currencies: ['EUR', 'USD'], schemes: ['visa'] }

    expect(restrictCapabilities(some, { currencies: ['EUR', 'JPY'], schemes: null })).toEqual({
      ...some,
      currencies: ['EUR'],
    })
    expect(restrictCapabilities(ALL_CAPABILITIES, { currencies: ['JPY'] })).toMatchObject({
      currencies: ['JPY'],
      schemes: null,
    })
  })
})
