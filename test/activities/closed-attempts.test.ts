import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Resolution } from '../../domain/command.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import type { Outcome } from '../../domain/operation.ts'
import { readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { findEntries } from '../../src/persistence/queries/reconciliations/entries.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

describe('an attempt that staff have closed', () => {
  const database = databaseForFile()
  /** How calls fare: `lost` on the way back, or `unsent`, so that the gateway never sees them. */
  let calls: 'answered' | 'lost' | 'unsent' = 'answered'

  const fixture = fixtureForFile(database, (gateway) => {
    const faring =
      <Request>(call: (request: Request, signal: AbortSignal) => Promise<Outcome>) =>
      async (request: Request, signal: AbortSignal): Promise<Outcome> => {
        if (calls === 'unsent') return { kind: 'unknown', reason: 'no answer' }
        const outcome = await call(request, signal)
        return calls === 'lost' ? { kind: 'unknown', reason: 'lost' } : outcome
      }
    return {
      ...gateway,
      authorize: faring(gateway.authorize),
      capture: faring(gateway.capture),
      increment: faring(gateway.increment),
      refund: faring(gateway.refund),
    }
  })
  beforeEach(() => {
    calls = 'answered'
  })

  const activities = () => createSignedActivities(fixture.deps)
  const at = () => fixture.deps.clock.now().getTime()
  const paymentOf = (invoiceId: string) => fixture.step(invoiceId, fixture.captureCommand()).payment
  const lookUp = (invoiceId: string, operationId: string) =>
    activities().lookUp({ payment: paymentOf(invoiceId), operationId, at: at() })
  const close = (invoiceId: string, operationId: string) => {
    const resolution: Resolution = { operationId, outcome: 'declined', gatewayOperationId: null, reason: 'a test' }
    return activities().resolveAttempt({ payment: paymentOf(invoiceId), resolution, at: at() })
  }
  const requestsOf = async (invoiceId: string) => (await readSimulatorLog(fixture.execute, { invoiceId })).requests
  const authorized = async (incremental = false) => {
    const invoiceId = await fixture.makeInvoice({ incremental })
    const command = fixture.authorizeCommand(await fixture.makeCard(), { incremental })
    await activities().authorize(fixture.step(invoiceId, command))
    return invoiceId
  }

  test.each(['authorization', 'capture'])(
    'is never sent after that, where the gateway never saw it: %s',
    async (type) => {
      const invoiceId = type === 'capture' ? await authorized() : await fixture.makeInvoice()
      const before = (await requestsOf(invoiceId)).length
      calls = 'unsent'
      const command = type === 'capture' ? fixture.captureCommand() : fixture.authorizeCommand(await fixture.makeCard())
      if (command.kind === 'capture') await activities().capture(fixture.step(invoiceId, command))
      else await activities().authorize(fixture.step(invoiceId, command))
      await close(invoiceId, command.operationId)

      calls = 'answered'
      expect(await lookUp(invoiceId, command.operationId)).toMatchObject({
        payment: { status: type === 'capture' ? 'authorized' : 'failed', capturedMinor: 0, orphans: [] },
      })
      expect(await requestsOf(invoiceId)).toHaveLength(before)
    },
  )

  test('is left to staff where it was a sale that the gateway has made: both halves are on record, and neither counts', async () => {
    const invoiceId = await fixture.makeInvoice()
    const card = await fixture.makeCard('4242424242424242', 'SANDBOX:sale-only')
    const capture = fixture.captureCommand()
    const sale = fixture.authorizeCommand(card, { capture })
    calls = 'lost'
    await activities().authorize(fixture.step(invoiceId, sale))
    await close(invoiceId, sale.operationId)
    calls = 'answered'
    expect(await lookUp(invoiceId, sale.operationId)).toMatchObject({
      payment: { status: 'failed', authorizedMinor: 0, capturedMinor: 0, needsAttention: true },
    })
    const em = database.orm.em.fork()
    const late = { amountMinor: 2900, outcome: 'succeeded', isSale: true, isAccountable: false }
    const { id: transactionId, gatewayConfigurationId } = await em.findOneOrFail(TransactionEntity, { invoiceId })
    const halves = await em.find(
      OperationEntity,
      { transactionId, correctedAttemptId: sale.operationId },
      { orderBy: { position: 'asc' } },
    )
    expect(halves).toMatchObject([
      { type: 'authorization', ...late },
      { type: 'capture', ...late },
    ])
    expect(await em.count(EventEntity, { transactionId, name: 'transaction.captured' })).toBe(0)
    const run = { projectId: fixture.projectId, sandbox: true, gatewayConfigurationId: gatewayConfigurationId ?? '' }
    expect(await findEntries(em, run, [sale.operationId])).toMatchObject([
      { type: 'capture', state: 'failed', amountMinor: 2900 },
    ])
  })

  test('is given back at the account and in the currency that it was made in, wherever the payment went since', async () => {
    const invoiceId = await fixture.makeInvoice()
    const first = fixture.authorizeCommand(await fixture.makeCard())
    calls = 'lost'
    await activities().authorize(fixture.step(invoiceId, first))
    await close(invoiceId, first.operationId)

    const em = database.orm.em.fork()
    const [account] = await em.find(GatewayConfigurationEntity, { projectId: fixture.projectId, enabled: true })
    if (account === undefined) throw new Error('The project has no account.')
    account.enabled = false
    const other = makeIdentifier('gatewayConfiguration', fixture.deps.randomBytes)
    em.create(GatewayConfigurationEntity, { ...account, id: other, enabled: true })
    const changed = { amountMinor: 2900, currency: 'USD' }
    await em.nativeUpdate(InvoiceEntity, { id: invoiceId }, changed)
    await em.nativeUpdate(TransactionEntity, { invoiceId }, changed)
    await em.flush()
    calls = 'answered'
    const second = fixture.authorizeCommand(await fixture.makeCard(), { currency: 'USD' })
    await activities().authorize(fixture.step(invoiceId, second))

    const { payment } = await lookUp(invoiceId, first.operationId)
    expect(payment.orphans).toMatchObject([{ operationId: first.operationId }])
    const { operationId, deadline, idempotency } = fixture.captureCommand()
    const release = { kind: 'reverse-orphan', operationId, deadline, idempotency, actor: 'scheduler' } as const
    const step = fixture.step(invoiceId, { ...release, orphanOperationId: first.operationId })
    expect(await activities().reverseOrphan(step)).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'authorized', voidedMinor: 0, orphans: [], needsAttention: false },
    })
  })
})
