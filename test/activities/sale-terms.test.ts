import { afterEach, describe, expect, test } from '@jest/globals'
import type { Capabilities } from '../../domain/capabilities.ts'
import type { AuthorizeCommand } from '../../domain/command.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

describe('an authorization whose capture could not follow', () => {
  const database = databaseForFile()

  const fixture = fixtureForFile(database)
  afterEach(() => allow({}))

  const allow = (capabilities: Partial<Capabilities>) =>
    database.orm.em.fork().nativeUpdate(GatewayConfigurationEntity, { projectId: fixture.projectId }, { capabilities })
  const authorize = async (values: Partial<AuthorizeCommand>) => {
    const invoiceId = await fixture.makeInvoice()
    const command = fixture.authorizeCommand(await fixture.makeCard(), values)
    const { answer } = await createSignedActivities(fixture.deps).authorize(fixture.step(invoiceId, command))
    return { invoiceId, answer }
  }
  const expectNothingBegun = async (invoiceId: string) => {
    expect(await database.orm.em.fork().findOne(TransactionEntity, { invoiceId })).toBeNull()
    expect((await readSimulatorLog(fixture.execute, { invoiceId })).requests).toEqual([])
  }
  const goneLine = () => [makeIdentifier('invoiceDetail', fixture.deps.randomBytes)]

  test.each<[string, string, () => Partial<AuthorizeCommand>]>([
    [
      'lines that are gone are scheduled',
      'request.validation.invalid-id',
      () => ({ autoCaptureAt: Date.now() + 60_000, autoCaptureAmountMinor: 1000, autoCaptureDetailIds: goneLine() }),
    ],
    [
      'lines that are gone are sold',
      'request.validation.invalid-id',
      () => ({ capture: fixture.captureCommand(1000, { detailIds: goneLine() }) }),
    ],
    [
      'more is sold than the invoice is over now',
      'request.validation.invalid-amount',
      () => ({ capture: fixture.captureCommand(2901) }),
    ],
    [
      'lines of nothing are scheduled',
      'request.validation.invalid-amount',
      () => ({ autoCaptureAt: Date.now() + 60_000, autoCaptureAmountMinor: 0, autoCaptureDetailIds: goneLine() }),
    ],
  ])('is not begun where %s', async (_, code, values) => {
    const { invoiceId, answer } = await authorize(values())
    expect(answer).toMatchObject({ kind: 'refused', code })
    await expectNothingBegun(invoiceId)
  })

  test('that was scheduled over lines which are gone is captured without them, and is not due for ever', async () => {
    const { invoiceId } = await authorize({ autoCaptureAt: Date.now() + 60_000 })
    const detailIds = goneLine()
    const schedule = { autoCaptureAmountMinor: 1000, autoCaptureDetailIds: detailIds }
    await database.orm.em.fork().nativeUpdate(TransactionEntity, { invoiceId }, schedule)
    const command = { ...fixture.captureCommand(1000, { detailIds, wantsRest: true }), actor: 'scheduler' as const }
    expect(await createSignedActivities(fixture.deps).capture(fixture.step(invoiceId, command))).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'completed', capturedMinor: 1000, autoCaptureAt: null },
    })
  })
})
