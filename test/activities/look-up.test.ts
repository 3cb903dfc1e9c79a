import { beforeEach, describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../activities/payment/begin-attempt.ts'
import { type LookUp, notSent, type Outcome } from '../../domain/operation.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

describe('the look-up of an unknown outcome', () => {
  const database = databaseForFile()
  /** What the gateway answers instead of the truth; null where it tells the truth. */
  let lookUpFinds: ((found: LookUp) => LookUp) | null = null
  let callEndsAs: Outcome | null = null

  const fixture = fixtureForFile(database, (gateway) => {
    const told =
      <Request>(call: (request: Request, signal: AbortSignal) => Promise<Outcome>) =>
      async (request: Request, signal: AbortSignal) => {
        const outcome = await call(request, signal)
        return callEndsAs ?? outcome
      }
    return {
      ...gateway,
      authorize: told(gateway.authorize),
      capture: told(gateway.capture),
      void: told(gateway.void),
      increment: told(gateway.increment),
      lookUp: async (request, signal) => {
        const found = await gateway.lookUp(request, signal)
        return lookUpFinds === null ? found : lookUpFinds(found)
      },
    }
  })
  beforeEach(() => {
    lookUpFinds = null
    callEndsAs = null
  })

  const LOST: Outcome = { kind: 'unknown', reason: 'lost' }
  const authorized = async (values: { webhookUrl?: string; incremental?: boolean } = {}) => {
    const invoiceId = await fixture.makeInvoice(values)
    const command = fixture.authorizeCommand(await fixture.makeCard(), { incremental: values.incremental ?? false })
    await createSignedActivities(fixture.deps).authorize(fixture.step(invoiceId, command))
    return invoiceId
  }
  const lookUpOf = (invoiceId: string, operationId: string) => ({
    payment: fixture.step(invoiceId, fixture.captureCommand()).payment,
    operationId,
    at: fixture.deps.clock.now().getTime(),
  })
  const resultsOf = (attemptOperationId: string) => database.orm.em.fork().find(OperationEntity, { attemptOperationId })
  const eventsOf = async (invoiceId: string) =>
    (await database.orm.em.fork().find(EventEntity, { invoiceId }, { orderBy: { sequence: 'asc' } })).map(
      ({ name }) => name,
    )

  test('announces what it has booked also when it ended between the two and is run again', async () => {
    const invoiceId = await authorized({ webhookUrl: 'https://merchant.example/webhooks' })
    callEndsAs = LOST
    const capture = fixture.step(invoiceId, fixture.captureCommand())
    expect(await createSignedActivities(fixture.deps).capture(capture)).toMatchObject({ answer: { kind: 'pending' } })

    const failing = { ...fixture.deps, webhookStarter: { start: () => Promise.reject(new Error('Temporal is away')) } }
    const input = lookUpOf(invoiceId, capture.command.operationId)
    await expect(createSignedActivities(failing).lookUp(input)).rejects.toThrow('Temporal is away')
    fixture.announced.length = 0
    expect(await createSignedActivities(fixture.deps).lookUp(input)).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'completed' },
    })
    const announced = fixture.announced.map(({ eventName }) => eventName)
    expect(announced).toContain('transaction.captured')
    expect(announced).toContain('invoice.completed')
  })

  test.each([
    ['an increment', { incremental: true }],
    ['a capture', {}],
  ])('of %s is booked once, also by a machine whose clock is behind', async (step, values) => {
    const invoiceId = await authorized(values)
    callEndsAs = LOST
    const activities = createSignedActivities(fixture.deps)
    const capture = fixture.captureCommand()
    const { operationId } = capture
    if (step === 'a capture') await activities.capture(fixture.step(invoiceId, capture))
    else
      await activities.incrementAuthorization(
        fixture.step(invoiceId, { ...capture, kind: 'increment', amountMinor: 500 }),
      )
    const behind = { now: () => new Date(fixture.deps.clock.now().getTime() - 5000) }
    const slow = createSignedActivities({ ...fixture.deps, clock: behind })

    const first = await slow.lookUp(lookUpOf(invoiceId, operationId))
    const second = await slow.lookUp(lookUpOf(invoiceId, operationId))
    expect(first.answer).toEqual({ kind: 'done' })
    expect(second).toEqual(first)
    expect((await resultsOf(operationId)).filter(({ outcome }) => outcome === 'succeeded')).toHaveLength(1)
  })

  test('that goes on finding an approval of another amount is no news, and tells nobody twice', async () => {
    const invoiceId = await authorized()
    callEndsAs = LOST
    const release = fixture.step(invoiceId, {
      ...fixture.captureCommand(),
      kind: 'void' as const,
      amountMinor: null,
      reason: null,
    })
    const activities = createSignedActivities(fixture.deps)
    await activities.voidAuthorization(release)
    lookUpFinds = (found) =>
      found.kind === 'found' && found.outcome.kind === 'approved'
        ? { kind: 'found', outcome: { ...found.outcome, amountMinor: 1 } }
        : found
    const input = lookUpOf(invoiceId, release.command.operationId)
    for (let round = 0; round < 3; round += 1) {
      expect(await activities.lookUp(input)).toMatchObject({ answer: { kind: 'pending' }, payment: { voidedMinor: 0 } })
    }
    lookUpFinds = () => ({ kind: 'found', outcome: { kind: 'pending', gatewayOperationId: 'void_1' } })
    await activities.lookUp(input)
    expect(await resultsOf(release.command.operationId)).toHaveLength(2)
    expect((await eventsOf(invoiceId)).filter((name) => name === 'transaction.operation.void.pending')).toHaveLength(1)

    lookUpFinds = null
    expect(await activities.lookUp(input)).toMatchObject({ answer: { kind: 'done' }, payment: { status: 'voided' } })
  })

  test('of a gateway that does not take the call up again leaves open what became of the first one', async () => {
    const invoiceId = await authorized()
    const capture = fixture.step(invoiceId, fixture.captureCommand())
    await beginAttempt(fixture.deps, capture)
    callEndsAs = notSent('ECONNREFUSED')

    expect(
      await createSignedActivities(fixture.deps).lookUp(lookUpOf(invoiceId, capture.command.operationId)),
    ).toMatchObject({ answer: { kind: 'pending' }, payment: { capturedMinor: 0 } })
  })

  test('of a gateway that never saw the reference sends nothing again unless references are idempotent there', async () => {
    const invoiceId = await authorized()
    const capture = fixture.step(invoiceId, fixture.captureCommand())
    await beginAttempt(fixture.deps, capture)
    const simulator = fixture.deps.gateways.find('simulator')
    const forgetful = createSignedActivities({
      ...fixture.deps,
      gateways: { has: () => true, find: () => ({ ...simulator, referencesKeptForMs: 0 }) },
    })
    expect(await forgetful.lookUp(lookUpOf(invoiceId, capture.command.operationId))).toMatchObject({
      answer: { kind: 'pending' },
      payment: { capturedMinor: 0, attemptsInFlight: [{ operationId: capture.command.operationId }] },
    })
  })
})
