import { beforeEach, describe, expect, test } from '@jest/globals'
import { nextDue } from '../../domain/payment.ts'
import { readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

const DAY = 24 * 60 * 60 * 1000

describe('a void of a payment whose authorization nobody knows yet', () => {
  const database = databaseForFile()
  let isSilent = false

  const fixture = fixtureForFile(database, (gateway) => ({
    ...gateway,
    lookUp: (request, signal) =>
      isSilent
        ? Promise.resolve({ kind: 'unreachable', reason: 'The gateway says nothing.' })
        : gateway.lookUp(request, signal),
  }))
  beforeEach(() => {
    isSilent = false
  })

  const em = () => database.orm.em.fork()
  const activities = () => createSignedActivities(fixture.deps)
  const rowOf = (invoiceId: string) => em().findOneOrFail(TransactionEntity, { invoiceId })
  const eventsOf = async (invoiceId: string) =>
    (await em().find(EventEntity, { invoiceId }, { orderBy: { sequence: 'asc' } })).map(({ name }) => name)
  const requestsOf = async (invoiceId: string) =>
    (await readSimulatorLog(fixture.execute, { invoiceId })).requests.map(({ type }) => type)
  const lookUp = (invoiceId: string, operationId: string, laterMs = 0) =>
    activities().lookUp({
      payment: fixture.step(invoiceId, fixture.captureCommand()).payment,
      operationId,
      at: fixture.deps.clock.now().getTime() + laterMs,
    })
  const voidCommand = (amountMinor: number | null = null) => ({
    ...fixture.captureCommand(),
    kind: 'void' as const,
    amountMinor,
    reason: null,
  })
  /** An authorization whose answer was lost, of a payment that is to be captured later. */
  const authorize = async (number = '4000000000007007') => {
    const invoiceId = await fixture.makeInvoice()
    const cardId = await fixture.makeCard(number)
    const command = fixture.authorizeCommand(cardId, { autoCaptureAt: fixture.deps.clock.now().getTime() + DAY })
    expect(await activities().authorize(fixture.step(invoiceId, command))).toMatchObject({
      payment: { status: 'pending' },
    })
    return { invoiceId, operationId: command.operationId, cardId }
  }
  const giveUp = async (invoiceId: string, command = voidCommand()) =>
    activities().voidAuthorization(fixture.step(invoiceId, command))

  test('ends it at once: nothing is sent, nothing will be captured, and the invoice is not paid any more', async () => {
    const { invoiceId, operationId } = await authorize()
    expect(await giveUp(invoiceId)).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'voided', authorizedMinor: 0, autoCaptureAt: null, attemptsInFlight: [{ isAbandoned: true }] },
    })
    expect(await requestsOf(invoiceId)).toEqual(['authorization'])
    expect(await rowOf(invoiceId)).toMatchObject({
      status: 'voided',
      voidedAt: expect.any(Date),
      errorCode: null,
      outcomeUnknownSince: null,
    })
    expect(await em().find(OperationEntity, { attemptOperationId: operationId, outcome: 'failed' })).toMatchObject([
      { gatewayCode: 'GIVEN_UP', actor: 'merchant' },
    ])
    const events = await eventsOf(invoiceId)
    expect(events).toContain('transaction.voided')
    expect(events).not.toContain('transaction.failed')
    const again = fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard()))
    expect(await activities().authorize(again)).toMatchObject({
      answer: { kind: 'refused', code: 'request.validation.invalid-state' },
    })
  })

  test('gives back what turns out approved', async () => {
    const { invoiceId, operationId } = await authorize()
    await giveUp(invoiceId)
    const { voidedAt } = await rowOf(invoiceId)
    const { payment } = await lookUp(invoiceId, operationId)
    expect(payment).toMatchObject({ status: 'voided', authorizedMinor: 0, orphans: [{ operationId }] })
    expect(nextDue(payment)).toMatchObject({ kind: 'reverse-orphan' })
    const release = {
      ...fixture.captureCommand(),
      kind: 'reverse-orphan' as const,
      actor: 'scheduler' as const,
      orphanOperationId: operationId,
    }
    const step = fixture.step(invoiceId, release)
    expect(await activities().reverseOrphan({ ...step, at: step.at + DAY })).toMatchObject({
      payment: { status: 'voided', orphans: [], attemptsInFlight: [] },
    })
    expect(await requestsOf(invoiceId)).toEqual(['authorization', 'void'])
    // The merchant has voided the payment before.
    expect((await rowOf(invoiceId)).voidedAt).toEqual(voidedAt)
  })

  test('gives back also what is told after nobody looked it up any more', async () => {
    isSilent = true
    const { invoiceId, operationId } = await authorize()
    await giveUp(invoiceId)
    expect((await lookUp(invoiceId, operationId, 8 * DAY)).payment.attemptsInFlight).toEqual([])
    await em().execute(
      `insert into gateway_notification (project_id, sandbox, gateway_configuration_id, gateway_notification_id, invoice_id, kind,
         reference, operation_type, outcome, received_at)
       select project_id, sandbox, gateway_configuration_id, ?, invoice_id, 'outcome', ?, 'authorization', ?::jsonb, now()
         from transaction where invoice_id = ?`,
      [
        `late ${operationId}`,
        operationId,
        JSON.stringify({ kind: 'approved', gatewayOperationId: 'sim_late', amountMinor: 2900, currency: 'EUR' }),
        invoiceId,
      ],
    )
    const { payment } = fixture.step(invoiceId, fixture.captureCommand())
    await activities().applyNotifications({ payment, at: fixture.deps.clock.now().getTime() })
    expect(await rowOf(invoiceId)).toMatchObject({ status: 'voided', orphans: [{ operationId }] })
  })

  test('is done once, whether it comes again, comes twice at once, or meets the look-up', async () => {
    const { invoiceId } = await authorize()
    const command = voidCommand()
    expect(await giveUp(invoiceId, command)).toMatchObject({ answer: { kind: 'done' } })
    expect(await giveUp(invoiceId, command)).toMatchObject({ answer: { kind: 'unchanged' } })
    expect((await eventsOf(invoiceId)).filter((name) => name === 'transaction.voided')).toHaveLength(1)

    const { invoiceId: met, operationId } = await authorize()
    await Promise.all([giveUp(met), giveUp(met), lookUp(met, operationId)])
    const row = await rowOf(met)
    // Whichever came first: nothing stays held that nobody gives back.
    if (row.orphans.length === 0) expect([row.status, row.voidedMinor]).toEqual(['voided', row.authorizedMinor])
    else expect(row).toMatchObject({ status: 'voided', authorizedMinor: 0 })
    expect((await eventsOf(met)).filter((name) => name === 'transaction.voided')).toHaveLength(1)
  })
})
