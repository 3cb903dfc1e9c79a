import { describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { EventEntity } from '../../../src/persistence/entities/event.ts'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { InvoiceEntity } from '../../../src/persistence/entities/invoice.ts'
import { OperationEntity } from '../../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { findEntries } from '../../../src/persistence/queries/reconciliations/entries.ts'
import { lostAnswer, NO_ANSWER, paymentsForFile, toEveryCall } from '../payments.ts'

const payments = paymentsForFile()

describe('an attempt that staff have closed', () => {
  test.each(['authorization', 'capture'])(
    'is never sent after that, where the gateway never saw it: %s',
    async (type) => {
      const { build, gateway } = payments
      const isCapture = type === 'capture'
      const invoiceId = isCapture ? (await payments.authorized()).invoiceId : await payments.makeInvoice()
      const before = await payments.requestsOf(invoiceId)
      const command = isCapture ? build.capture() : build.authorize(await payments.makeCard())
      await gateway.answersDuring(toEveryCall(NO_ANSWER), () => payments.step(invoiceId, command))
      await payments.closeAttempt(invoiceId, command.operationId)
      expect(await payments.lookUp(invoiceId, command.operationId)).toMatchObject({
        payment: { status: isCapture ? 'authorized' : 'failed', capturedMinor: 0, orphans: [] },
      })
      expect(await payments.requestsOf(invoiceId)).toEqual(before)
    },
  )

  test('is given back by a refund where it was a sale that the gateway has made: both halves are on record, and neither counts', async () => {
    const { build, em, projectId } = payments
    const invoiceId = await payments.makeInvoice()
    const sale = build.authorize(await payments.makeSource('sale-only'), { authorizeOnly: false })
    await payments.gateway.answersDuring({ authorize: lostAnswer }, () => payments.step(invoiceId, sale))
    await payments.closeAttempt(invoiceId, sale.operationId)
    expect(await payments.lookUp(invoiceId, sale.operationId)).toMatchObject({
      payment: {
        status: 'failed',
        authorizedMinor: 0,
        capturedMinor: 0,
        needsAttention: false,
        orphans: [{ operationId: sale.operationId, isSale: true, amountMinor: 2900 }],
      },
    })
    const late = { amountMinor: 2900, outcome: 'succeeded', isSale: true, isAccountable: false }
    const { id: transactionId, gatewayConfigurationId } = await payments.transactionOf(invoiceId)
    const corrected = { transactionId, correctedAttemptId: sale.operationId }
    expect(await em().find(OperationEntity, corrected, { orderBy: { position: 'asc' } })).toMatchObject([
      { type: 'authorization', ...late },
      { type: 'capture', ...late },
    ])
    expect(await em().count(EventEntity, { transactionId, name: 'transaction.captured' })).toBe(0)
    const run = { projectId, sandbox: true, gatewayConfigurationId: gatewayConfigurationId ?? '' }
    expect(await findEntries(em(), run, [sale.operationId])).toMatchObject([
      { type: 'capture', state: 'failed', amountMinor: 2900 },
    ])
  })

  test('is given back at the account and in the currency that it was made in, wherever the payment went since', async () => {
    const { build, deps, gateway } = payments
    const first = await gateway.answersDuring({ authorize: lostAnswer }, () => payments.authorize())
    const { invoiceId, operationId } = first
    await payments.closeAttempt(invoiceId, operationId)

    const em = payments.em()
    const account = await em.findOneOrFail(GatewayConfigurationEntity, { projectId: payments.projectId })
    account.enabled = false
    const id = makeIdentifier('gatewayConfiguration', deps.randomBytes)
    em.create(GatewayConfigurationEntity, { ...account, id, enabled: true })
    const changed = { amountMinor: 2900, currency: 'USD' }
    await em.nativeUpdate(InvoiceEntity, { id: invoiceId }, changed)
    await em.nativeUpdate(TransactionEntity, { invoiceId }, changed)
    await em.flush()
    await payments.step(invoiceId, build.authorize(await payments.makeCard(), { currency: 'USD' }))

    const { payment } = await payments.lookUp(invoiceId, operationId)
    expect(payment.orphans).toMatchObject([{ operationId }])
    expect(await payments.step(invoiceId, build.reverseOrphan(operationId))).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'authorized', voidedMinor: 0, orphans: [], needsAttention: false },
    })
  })
})
