import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Command } from '../../domain/command.ts'
import type { Outcome } from '../../domain/operation.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { makePaymentActor, type PaymentActor } from '../support/payment-actor.ts'

type Approval = Extract<Outcome, { kind: 'approved' }>

const MORE = (approval: Approval) => ({ ...approval, amountMinor: approval.amountMinor + 1 })
const LESS = (approval: Approval) => ({ ...approval, amountMinor: approval.amountMinor - 1 })
const NOTHING = (approval: Approval) => ({ ...approval, amountMinor: 0 })
const OTHER_CURRENCY = (approval: Approval) => ({ ...approval, currency: 'USD' })

describe('an approval', () => {
  let database: TestDatabase
  let actor: PaymentActor
  /** What the gateway's word becomes on its way to us; null leaves it. */
  let distort: ((approval: Approval) => Approval) | null

  beforeAll(async () => {
    database = await makeDatabase()
    actor = await makePaymentActor(database, distorting)
  })
  beforeEach(() => {
    distort = null
  })
  afterAll(() => database.drop())

  function distorting(gateway: Gateway): Gateway {
    const told = async (asked: Promise<Outcome>): Promise<Outcome> => {
      const outcome = await asked
      return distort !== null && outcome.kind === 'approved' ? distort(outcome) : outcome
    }
    return {
      ...gateway,
      authorize: (...asked) => told(gateway.authorize(...asked)),
      capture: (...asked) => told(gateway.capture(...asked)),
      void: (...asked) => told(gateway.void(...asked)),
      increment: (...asked) => told(gateway.increment(...asked)),
      refund: (...asked) => told(gateway.refund(...asked)),
    }
  }

  const authorized = async () => {
    const invoiceId = await actor.makeInvoice({ incremental: true })
    const source = await actor.makeCard()
    const { payment } = await actor.executeCommand(invoiceId, actor.build.authorize(source, { incremental: true }))
    expect(payment).toMatchObject({ status: 'authorized', authorizedMinor: 2900 })
    return invoiceId
  }
  const captured = async () => {
    const invoiceId = await authorized()
    await actor.executeCommand(invoiceId, actor.build.capture())
    return invoiceId
  }

  const LATER_STEPS: [string, () => Promise<string>, () => Command, object][] = [
    ['a capture', () => authorized(), () => actor.build.capture(2000), { capturedMinor: 0, voidedMinor: 0 }],
    ['a void', () => authorized(), () => actor.build.void(2000), { voidedMinor: 0, status: 'authorized' }],
    ['an increment', () => authorized(), () => actor.build.increment(2000), { authorizedMinor: 2900 }],
    ['a refund', () => captured(), () => actor.build.refund(2000), { refundedMinor: 0, status: 'completed' }],
  ]

  describe.each([
    ['of more than was asked for', MORE],
    ['of less than was asked for', LESS],
    ['of nothing', NOTHING],
    ['in another currency', OTHER_CURRENCY],
  ])('%s', (_, wrong) => {
    test.each(LATER_STEPS)('is none, but an outcome to be looked up: %s', async (__, begin, command, books) => {
      const invoiceId = await begin()
      distort = wrong
      const step = command()
      expect(await actor.executeCommand(invoiceId, step)).toMatchObject({
        answer: { kind: 'pending' },
        payment: { ...books, attemptsInFlight: [{ operationId: step.operationId }] },
      })
    })
  })

  test.each([
    ['of more than was asked for', MORE],
    ['of nothing', NOTHING],
    ['in another currency', OTHER_CURRENCY],
  ])('%s never makes a payment authorized', async (_, wrong) => {
    const invoiceId = await actor.makeInvoice()
    const authorize = actor.build.authorize(await actor.makeCard())
    distort = wrong
    expect(await actor.executeCommand(invoiceId, authorize)).toMatchObject({
      answer: { kind: 'pending' },
      payment: { status: 'pending', authorizedMinor: 0, attemptsInFlight: [{ operationId: authorize.operationId }] },
    })
  })
})
