import { describe, expect, test } from '@jest/globals'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

const HOUR_MS = 60 * 60 * 1000

describe('a command that may not begin', () => {
  const database = databaseForFile()

  const fixture = fixtureForFile(database)

  const schedule = (autoCaptureAt: number, deadline = fixture.deps.clock.now().getTime() + 60_000) => ({
    ...fixture.captureCommand(),
    kind: 'schedule-capture' as const,
    autoCaptureAt,
    autoCaptureAmountMinor: null,
    autoCaptureDetailIds: null,
    deadline,
  })
  const authorized = async () => {
    const invoiceId = await fixture.makeInvoice()
    const command = fixture.authorizeCommand(await fixture.makeCard())
    await createSignedActivities(fixture.deps).authorize(fixture.step(invoiceId, command))
    return invoiceId
  }
  const scheduledAt = async (invoiceId: string) =>
    (await database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })).autoCaptureAt?.getTime() ?? null

  test('because it comes too late does not move a scheduled capture', async () => {
    const invoiceId = await authorized()
    const now = fixture.deps.clock.now().getTime()
    const late = fixture.step(invoiceId, schedule(now + HOUR_MS, now - 1))
    expect(await createSignedActivities(fixture.deps).scheduleCapture(late)).toMatchObject({
      answer: { kind: 'refused', code: 'request.not-started' },
      payment: { autoCaptureAt: null },
    })
    expect(await scheduledAt(invoiceId)).toBeNull()
  })

  test('a second time was done the first time, and is answered as done', async () => {
    const invoiceId = await authorized()
    const now = fixture.deps.clock.now().getTime()
    const command = schedule(now + HOUR_MS)
    const activities = createSignedActivities(fixture.deps)
    expect(await activities.scheduleCapture(fixture.step(invoiceId, command))).toMatchObject({
      answer: { kind: 'done' },
    })
    const repeated = fixture.step(invoiceId, { ...command, deadline: now - 1 })
    expect(await activities.scheduleCapture(repeated)).toMatchObject({
      answer: { kind: 'done' },
      payment: { autoCaptureAt: now + HOUR_MS },
    })
    expect(await scheduledAt(invoiceId)).toBe(now + HOUR_MS)
  })

  test('because no gateway is configured does not use its card up', async () => {
    const invoiceId = await fixture.makeInvoice()
    const card = await fixture.makeCard()
    const em = database.orm.em.fork()
    await em.nativeUpdate(GatewayConfigurationEntity, { projectId: fixture.projectId }, { enabled: false })
    const refused = await createSignedActivities(fixture.deps).authorize(
      fixture.step(invoiceId, fixture.authorizeCommand(card)),
    )
    await em.nativeUpdate(GatewayConfigurationEntity, { projectId: fixture.projectId }, { enabled: true })
    expect(refused.answer).toMatchObject({ code: 'request.configuration.missing-gateway-configuration' })
    expect(await em.findOneOrFail(CardEntity, { id: card })).toMatchObject({ usedByInvoiceId: null })
  })

  test('because its card pays another invoice leaves no transaction, whichever of many claims it first', async () => {
    const card = await fixture.makeCard()
    const invoices = await Promise.all(Array.from({ length: 12 }, () => fixture.makeInvoice()))
    const activities = createSignedActivities(fixture.deps)
    const answers = await Promise.all(
      invoices.map((id) => activities.authorize(fixture.step(id, fixture.authorizeCommand(card)))),
    )
    expect(answers.filter(({ answer }) => answer.kind === 'done')).toHaveLength(1)
    for (const { answer } of answers.filter(({ answer }) => answer.kind !== 'done'))
      expect(answer).toMatchObject({ code: 'request.source.card-already-used' })
    const em = database.orm.em.fork()
    expect(await em.count(TransactionEntity, { invoiceId: { $in: invoices } })).toBe(1)
  })
})
