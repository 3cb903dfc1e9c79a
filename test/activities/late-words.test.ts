import { describe, expect, test } from '@jest/globals'
import type { RefundCommand } from '../../domain/command.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import type { Outcome } from '../../domain/operation.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { RefundEntity } from '../../src/persistence/entities/refund.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { withdrawCommand } from '../../src/persistence/queries/payments/commands.ts'
import { storeNotifications } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { disputeNotification } from '../support/gateway-notifications.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('what comes in another order than it happened', () => {
  const database = databaseForFile()
  let answer: Outcome | null = null

  const fixture = fixtureForFile(database, (gateway) => ({
    ...gateway,
    refund: async (request, signal) => {
      const outcome = await gateway.refund(request, signal)
      return answer ?? outcome
    },
    capture: async (request, signal) => answer ?? gateway.capture(request, signal),
  }))

  const activities = () => createSignedActivities(fixture.deps)
  const at = () => fixture.deps.clock.now().getTime()
  const paymentOf = (invoiceId: string) => fixture.step(invoiceId, fixture.captureCommand()).payment
  const base = () => {
    const { operationId, actor, deadline, idempotency } = fixture.captureCommand()
    return { operationId, actor, deadline, idempotency }
  }
  const refundCommand = (amountMinor: number): RefundCommand => ({
    ...base(),
    kind: 'refund',
    refundId: makeIdentifier('refund', fixture.deps.randomBytes),
    amountMinor,
    detailIds: null,
    reason: 'other',
  })
  const authorized = async (values: Parameters<typeof fixture.authorizeCommand>[1] = {}) => {
    const invoiceId = await fixture.makeInvoice()
    await activities().authorize(fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard(), values)))
    return invoiceId
  }
  const saying = async <T>(outcome: Outcome, work: () => Promise<T>): Promise<T> => {
    answer = outcome
    try {
      return await work()
    } finally {
      answer = null
    }
  }
  const LOST: Outcome = { kind: 'unknown', reason: 'lost' }

  test('a refund of which the gateway tells that it failed, before we know that it succeeded, ends as failed', async () => {
    const invoiceId = await authorized()
    await activities().capture(fixture.step(invoiceId, fixture.captureCommand()))
    const command = refundCommand(900)
    await saying(LOST, () => activities().refund(fixture.step(invoiceId, command)))
    const { gatewayConfigurationId } = await database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })
    const { projectId, deps } = fixture
    await storeNotifications(
      database.orm.em.fork(),
      { gatewayConfigurationId: gatewayConfigurationId ?? '', projectId, sandbox: true },
      [disputeNotification('refund-failed', { reference: command.operationId, amountMinor: 900, currency: 'EUR' })],
      deps.clock.now(),
    )
    await activities().applyNotifications({ payment: paymentOf(invoiceId), at: at() })
    const looked = await activities().lookUp({
      payment: paymentOf(invoiceId),
      operationId: command.operationId,
      at: at(),
    })
    expect(looked.payment).toMatchObject({ refundedMinor: 0, status: 'completed', attemptsInFlight: [] })
    expect(await database.orm.em.fork().findOneOrFail(RefundEntity, { id: command.refundId })).toMatchObject({
      status: 'failed',
    })
  })

  test('a notice of the end is not swallowed by a refund that is under way', async () => {
    const invoiceId = await authorized()
    const part = fixture.captureCommand(1000, { isFinal: false, wantsRest: true })
    await activities().capture(fixture.step(invoiceId, part))
    await saying(LOST, () => activities().refund(fixture.step(invoiceId, refundCommand(100))))
    await activities().announceExpiry({ payment: paymentOf(invoiceId), at: at() + 6 * DAY_MS })
    const told = { invoiceId, name: 'transaction.authorization.expiring' as const }
    expect(await database.orm.em.fork().count(EventEntity, told)).toBe(1)
  })

  test('the capture of a sale that was withdrawn after its authorization needed nothing is not begun', async () => {
    const invoiceId = await authorized()
    const sale = fixture.authorizeCommand(await fixture.makeCard(), { capture: fixture.captureCommand() })
    const first = await activities().authorize(fixture.step(invoiceId, sale))
    expect(first.answer).toEqual({ kind: 'unchanged' })
    const { projectId } = fixture
    await withdrawCommand(database.orm.em.fork(), {
      ...{ projectId, sandbox: true, invoiceId, now: new Date() },
      operationId: sale.operationId,
      captureOperationId: sale.capture?.operationId ?? null,
    })
    if (sale.capture === null) throw new Error('A sale has a capture.')
    const step = fixture.step(invoiceId, sale.capture)
    const answers = { operationId: sale.operationId, unlessSaleGoesOn: false }
    expect(await activities().capture({ ...step, answers })).toMatchObject({
      answer: { kind: 'refused', code: 'request.not-started' },
      payment: { capturedMinor: 0, attemptsInFlight: [] },
    })
  })
})
