import { describe, expect, test } from '@jest/globals'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CustomerEntity } from '../../src/persistence/entities/customer.ts'
import { CustomerTokenEntity } from '../../src/persistence/entities/customer-token.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { WithdrawnCommandEntity } from '../../src/persistence/entities/withdrawn-command.ts'
import { insertTokenForCard } from '../../src/persistence/queries/customers/customer-tokens.ts'
import { transact } from '../../src/persistence/transact.ts'
import { actorForFile, databaseForFile } from '../support/payment-for-file.ts'

/** What the interface let pass because it looked too early, and the payment refuses under its lock. */
describe('a command of a client', () => {
  const database = databaseForFile()

  const actor = actorForFile(database)

  const byClient = { actor: 'client' } as const
  const em = () => database.orm.em.fork()
  const store = async (cardId: string) => {
    const now = actor.deps.clock.now()
    const owner = { projectId: actor.projectId, sandbox: true }
    const customer = {
      isBusiness: false,
      balanceMinor: 0,
      metadata: {},
      registeredAt: now,
      createdAt: now,
      updatedAt: now,
    }
    await em().insert(CustomerEntity, { ...owner, ...customer, id: `cust_${cardId}` })
    const card = await em().findOneOrFail(CardEntity, { id: cardId })
    await transact(database.orm, async (unit) => {
      await insertTokenForCard(unit, { id: `tok_${cardId}`, customerId: `cust_${cardId}`, card, now })
    })
  }

  test('does not charge a card that was stored meanwhile, without the client secret', async () => {
    const [invoiceId, source] = [await actor.makeInvoice(), await actor.makeCard()]
    await store(source)
    for (const stored of [source, `tok_${source}`, `cust_${source}`]) {
      const command = actor.build.authorize(stored, { ...byClient, newSourceOnly: true })
      expect((await actor.executeCommand(invoiceId, command)).answer).toMatchObject({
        kind: 'refused',
        code: 'request.validation.invalid-client-secret',
      })
    }
    expect(await em().count(TransactionEntity, { invoiceId })).toBe(0)
    await em().nativeUpdate(InvoiceEntity, { id: invoiceId }, { customerId: `cust_${source}` })
    expect((await actor.executeCommand(invoiceId, actor.build.authorize(source, byClient))).answer.kind).toBe('done')
  })

  test('charges no stored source for an invoice without a customer, whatever it has shown', async () => {
    const source = await actor.makeCard()
    await store(source)
    for (const stored of [source, `tok_${source}`, `cust_${source}`]) {
      const invoiceId = await actor.makeInvoice()
      const command = actor.build.authorize(stored, byClient)
      expect((await actor.executeCommand(invoiceId, command)).answer).toMatchObject({ code: 'request.source.invalid' })
      expect(await em().count(TransactionEntity, { invoiceId })).toBe(0)
    }
  })

  test('charges no source that is stored for another customer than that of the invoice, nor does the merchant', async () => {
    const [source, other] = [await actor.makeCard(), await actor.makeCard()]
    for (const card of [source, other]) await store(card)
    const invoiceId = await actor.makeInvoice({ customerId: `cust_${other}` })
    for (const values of [byClient, {}])
      for (const stored of [source, `tok_${source}`]) {
        const { answer } = await actor.executeCommand(invoiceId, actor.build.authorize(stored, values))
        expect(answer).toMatchObject({ kind: 'refused', code: 'request.source.invalid' })
      }
    expect(await em().count(TransactionEntity, { invoiceId })).toBe(0)
  })

  test('verifies no stored source whose verification has failed by the invoice of another one, nor does the merchant', async () => {
    const source = await actor.makeCard()
    await store(source)
    await em().nativeUpdate(
      CustomerTokenEntity,
      { id: `tok_${source}` },
      { isChargeable: false, verificationStatus: 'failed' },
    )
    const values = { customerId: `cust_${source}`, verification: true, amountMinor: 0 }
    const invoiceId = await actor.makeInvoice(values)
    for (const by of [byClient, {}]) {
      const { answer } = await actor.executeCommand(invoiceId, actor.build.authorize(`tok_${source}`, by))
      expect(answer).toMatchObject({ kind: 'refused', code: 'request.source.invalid' })
    }
    expect(await em().count(TransactionEntity, { invoiceId })).toBe(0)
  })

  test.each([
    ['sells', { capture: true }],
    ['schedules the capture of', { autoCaptureAt: true }],
    ['may capture at once', { mayFallBackToSale: true }],
  ])('that %s an invoice is refused where the merchant has kept the capture for itself meanwhile', async (_, wish) => {
    const [invoiceId, source] = [await actor.makeInvoice(), await actor.makeCard()]
    await em().nativeUpdate(InvoiceEntity, { id: invoiceId }, { requireBackendCapture: true })
    const tomorrow = actor.deps.clock.now().getTime() + 24 * 60 * 60 * 1000
    const options = {
      capture: 'capture' in wish ? actor.build.capture(null, byClient) : null,
      autoCaptureAt: 'autoCaptureAt' in wish ? tomorrow : null,
      mayFallBackToSale: 'mayFallBackToSale' in wish,
    }
    const refused = await actor.executeCommand(invoiceId, actor.build.authorize(source, { ...byClient, ...options }))
    expect(refused.answer).toMatchObject({ kind: 'refused', code: 'request.validation.invalid-state' })
    expect(await em().count(TransactionEntity, { invoiceId })).toBe(0)
    const merchants = await actor.executeCommand(invoiceId, actor.build.authorize(source, options))
    expect(merchants.answer.kind).toBe('done')
  })

  test('captures nothing that another command has authorized, and what it has authorized itself', async () => {
    const sale = async (of: object) =>
      actor.build.authorize(await actor.makeCard(), { ...of, capture: actor.build.capture(null, of) })
    const [overtaken, own] = [await actor.makeInvoice(), await actor.makeInvoice()]
    await actor.executeCommand(overtaken, actor.build.authorize(await actor.makeCard()))
    expect((await actor.executeCommand(overtaken, await sale(byClient))).answer).toEqual({ kind: 'unchanged' })
    expect(await em().findOneOrFail(TransactionEntity, { invoiceId: overtaken })).toMatchObject({
      status: 'authorized',
      capturedMinor: 0,
    })
    expect((await actor.executeCommand(own, await sale(byClient))).answer).toEqual({ kind: 'done' })
    const transaction = await em().findOneOrFail(TransactionEntity, { invoiceId: own })
    expect(transaction).toMatchObject({ status: 'completed', capturedMinor: 2900 })
    const operations = await em().find(OperationEntity, { transactionId: transaction.id })
    expect(new Set(operations.map(({ actor: by }) => by))).toEqual(new Set(['client']))
    // Also where the second step is asked for all the same.
    const second = await sale(byClient)
    const answers = { operationId: second.operationId, unlessSaleGoesOn: false }
    const step = { ...actor.stepOf(overtaken, actor.build.capture(null, byClient), {}), answers }
    expect((await actor.activities.capture(step)).answer).toEqual({ kind: 'unchanged' })
    expect((await em().findOneOrFail(TransactionEntity, { invoiceId: overtaken })).capturedMinor).toBe(0)
    // The merchant's own sale goes on with what it finds.
    expect((await actor.executeCommand(overtaken, await sale({}))).answer).toEqual({ kind: 'done' })
  })

  test('of which its caller was told that nothing was done does not begin', async () => {
    const [invoiceId, source] = [await actor.makeInvoice(), await actor.makeCard()]
    const command = actor.build.authorize(source, byClient)
    const owner = { projectId: actor.projectId, sandbox: true, invoiceId }
    const { operationId } = command
    await em().insert(WithdrawnCommandEntity, { ...owner, operationId, createdAt: actor.deps.clock.now() })
    expect((await actor.executeCommand(invoiceId, command)).answer).toMatchObject({ code: 'request.not-started' })
  })
})
