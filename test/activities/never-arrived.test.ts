import { beforeEach, describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../activities/payment/begin-attempt.ts'
import { makeAnew } from '../../activities/payment/make-anew.ts'
import { recordOutcome } from '../../activities/payment/record-outcome.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import type { LookUp, Outcome } from '../../domain/operation.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { InvoiceDetailEntity } from '../../src/persistence/entities/invoice-detail.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { NOBODY_TO_ACT } from '../gateways/contract-authentication.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** What becomes of each call on its way, by its reference; null lets it through. */
type OnItsWay = (reference: string) => Outcome | null

const LOST: Outcome = { kind: 'unknown', reason: 'lost' }
const NOT_FOUND: Outcome = { kind: 'declined', code: 'gateway.transaction-not-found', gatewayCode: 'NO_SUCH_PAYMENT' }

const database = databaseForFile()
let onItsWay: OnItsWay = () => null
let lookUpFinds: ((found: LookUp) => LookUp) | null = null
/** The references of everything that was sent, in its order. */
const sent: string[] = []

function unreliable(gateway: Gateway): Gateway {
  const call =
    <Request extends { reference: string }>(make: (request: Request, signal: AbortSignal) => Promise<Outcome>) =>
    async (request: Request, signal: AbortSignal) => {
      sent.push(request.reference)
      return onItsWay(request.reference) ?? make(request, signal)
    }
  return {
    ...gateway,
    authorize: call(gateway.authorize),
    capture: call(gateway.capture),
    void: call(gateway.void),
    increment: call(gateway.increment),
    refund: call(gateway.refund),
    lookUp: async (request, signal) => {
      const found = await gateway.lookUp(request, signal)
      return lookUpFinds === null ? found : lookUpFinds(found)
    },
  }
}

const fixture = fixtureForFile(database, unreliable)
beforeEach(() => {
  onItsWay = () => null
  lookUpFinds = null
  sent.length = 0
})

const em = () => database.orm.em.fork()
const activities = () => createSignedActivities(fixture.deps)
const rowOf = (invoiceId: string) => em().findOneOrFail(TransactionEntity, { invoiceId })
const operationsOf = (where: object) => em().find(OperationEntity, where, { orderBy: { position: 'asc' } })
const makeLines = async (invoiceId: string, amounts: readonly number[]): Promise<string[]> => {
  const { projectId, deps } = fixture
  const owner = { projectId, sandbox: true, invoiceId }
  const lines = amounts.map((amountMinor, index) => ({
    ...{ ...owner, id: makeIdentifier('invoiceDetail', deps.randomBytes), position: index + 1, name: `Line ${index}` },
    ...{ amountMinor, quantity: 1, metadata: {}, createdAt: deps.clock.now() },
  }))
  await em().insertMany(InvoiceDetailEntity, lines)
  await em().nativeUpdate(InvoiceEntity, { id: invoiceId }, { hasDetails: true })
  return lines.map(({ id }) => id)
}
const requestsOf = async (invoiceId: string) => (await readSimulatorLog(fixture.execute, { invoiceId })).requests
const eventsOf = async (invoiceId: string) =>
  (await em().find(EventEntity, { invoiceId }, { orderBy: { sequence: 'asc' } })).map(({ name }) => name)

/** The look-up of an attempt, so long after now. */
const lookUp = (invoiceId: string, operationId: string, laterMs: number, deps = fixture.deps) =>
  createSignedActivities(deps).lookUp({
    payment: fixture.step(invoiceId, fixture.captureCommand()).payment,
    operationId,
    at: fixture.deps.clock.now().getTime() + laterMs,
  })

/** An authorization whose process ended before it called. */
const beginAuthorization = async (values: Parameters<typeof fixture.makeInvoice>[0] = {}) => {
  const invoiceId = await fixture.makeInvoice(values)
  const step = fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard()))
  await beginAttempt(fixture.deps, step)
  return { invoiceId, step, operationId: step.command.operationId }
}

const authorize = async (values: Parameters<typeof fixture.makeInvoice>[0] = {}) => {
  const invoiceId = await fixture.makeInvoice(values)
  await activities().authorize(
    fixture.step(
      invoiceId,
      fixture.authorizeCommand(await fixture.makeCard(), { incremental: values.incremental ?? false }),
    ),
  )
  sent.length = 0
  return invoiceId
}

/** A capture whose process ended before it called. */
const beginCapture = async (amountMinor: number | null = null, isFinal = true) => {
  const invoiceId = await authorize()
  const step = fixture.step(invoiceId, fixture.captureCommand(amountMinor, { isFinal }))
  await beginAttempt(fixture.deps, step)
  return { invoiceId, step, operationId: step.command.operationId }
}

describe('an authorization that never arrived', () => {
  test('is sent again while the customer waits for it', async () => {
    const { invoiceId, operationId } = await beginAuthorization()
    expect(await lookUp(invoiceId, operationId, 4 * MINUTE)).toMatchObject({ payment: { status: 'authorized' } })
    expect(sent).toEqual([operationId])
  })

  test.each([
    ['five minutes', 5 * MINUTE],
    ['ten days', 10 * DAY],
  ])('fails after %s without being sent, and the invoice can be paid again', async (_, laterMs) => {
    const { invoiceId, operationId } = await beginAuthorization()
    expect(await lookUp(invoiceId, operationId, laterMs)).toMatchObject({
      answer: { kind: 'declined', code: 'gateway.network-error' },
      payment: { status: 'failed', authorizedMinor: 0, attemptsInFlight: [] },
    })
    expect(sent).toEqual([])
    expect(await operationsOf({ attemptOperationId: operationId })).toMatchObject([
      { outcome: 'failed', gatewayCode: 'NEVER_ARRIVED', isNotSent: true },
    ])
    const again = fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard()))
    expect(await activities().authorize(again)).toMatchObject({ answer: { kind: 'done' } })
  })

  test('is not sent by its own step either that is run again days later, nor at the next gateway', async () => {
    const { step } = await beginAuthorization()
    const { clock } = fixture.deps
    const later = { now: () => new Date(clock.now().getTime() + 10 * DAY) }
    expect(await createSignedActivities({ ...fixture.deps, clock: later }).authorize(step)).toMatchObject({
      answer: { kind: 'declined', code: 'gateway.network-error' },
      payment: { status: 'failed', attemptsInFlight: [] },
    })
    expect(sent).toEqual([])
  })

  test('that is approved after it was taken for failed is given back', async () => {
    const { invoiceId, operationId, step } = await beginAuthorization()
    await lookUp(invoiceId, operationId, HOUR)
    // The process that was to send it was only asleep.
    const { authorize: arrive } = fixture.deps.gateways.find('simulator')
    const { id: gatewayConfigurationId } = await em().findOneOrFail(GatewayConfigurationEntity, {
      projectId: fixture.projectId,
    })
    const outcome = await arrive(
      {
        ...{ gatewayConfigurationId, credentials: {}, settings: {}, reference: operationId, invoiceId },
        ...{ amountMinor: 2900, currency: 'EUR', gatewayRequest: null, scheme: 'visa', incremental: false },
        ...{ mayFallBackToSale: false, mustSell: false, isMerchantInitiated: false, initialSchemeTransactionId: null },
        statementDescriptor: null,
        authentication: NOBODY_TO_ACT,
        card: { number: '4242424242424242', expMonth: 12, expYear: 2030, name: null, cvc: null },
      },
      AbortSignal.timeout(5000),
    )
    expect(outcome.kind).toBe('approved')
    const [attempt] = await operationsOf({ id: operationId })
    if (attempt === undefined) throw new Error('The attempt is gone.')
    await recordOutcome(fixture.deps, step.payment, {
      attemptId: attempt.id,
      outcome,
      at: step.at,
      actor: 'merchant',
      step,
    })
    expect(await rowOf(invoiceId)).toMatchObject({
      status: 'failed',
      authorizedMinor: 0,
      orphans: [{ operationId, reason: 'late_approval' }],
    })
  })
})

describe('an increment that never arrived', () => {
  test('is sent again within minutes, and fails later on', async () => {
    for (const [laterMs, incrementedMinor] of [
      [4 * MINUTE, 500],
      [5 * MINUTE, 0],
    ] as const) {
      const invoiceId = await authorize({ incremental: true })
      const command = { ...fixture.captureCommand(), kind: 'increment' as const, amountMinor: 500 }
      await beginAttempt(fixture.deps, fixture.step(invoiceId, command))
      expect(await lookUp(invoiceId, command.operationId, laterMs)).toMatchObject({
        payment: { status: 'authorized', incrementedMinor, attemptsInFlight: [] },
      })
    }
  })
})

describe('a capture that was not made', () => {
  const attemptsOf = async (invoiceId: string) => {
    const { id: transactionId } = await rowOf(invoiceId)
    return operationsOf({ transactionId, type: 'capture', isAttempt: true })
  }

  test('is made under another reference where its gateway repeats a failure, and once', async () => {
    const invoiceId = await authorize()
    const step = fixture.step(invoiceId, fixture.captureCommand(2000, { isFinal: false }))
    const { operationId } = step.command
    // The gateway has failed, and answers the reference so for a day.
    onItsWay = (reference) => (reference === operationId ? LOST : null)
    expect(await activities().capture(step)).toMatchObject({ answer: { kind: 'pending' } })
    for (const laterMs of [SECOND, 4 * MINUTE, 5 * MINUTE, 9 * MINUTE])
      expect(await lookUp(invoiceId, operationId, laterMs)).toMatchObject({ payment: { status: 'pending-capture' } })
    expect(sent).toEqual([operationId, operationId, operationId])

    expect(await lookUp(invoiceId, operationId, 10 * MINUTE)).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'completed', capturedMinor: 2000, capturesCount: 1, attemptsInFlight: [] },
    })
    const [first, second] = await attemptsOf(invoiceId)
    expect(second).toMatchObject({ fallbackOf: operationId, isFinal: false, amountMinor: 2000, actor: 'merchant' })
    expect(sent.slice(3)).toEqual([second?.id])
    expect(await operationsOf({ attemptOperationId: first?.id })).toMatchObject([
      { outcome: 'unknown' },
      { outcome: 'failed', gatewayCode: 'MADE_ANEW', isNotSent: true },
    ])
    const captures = (await requestsOf(invoiceId)).filter(({ type }) => type === 'capture')
    expect(captures).toMatchObject([{ reference: second?.id, amountMinor: 2000 }])
    expect(await eventsOf(invoiceId)).not.toContain('transaction.operation.capture.failed')
  })

  test('and goes on being lost is told as pending once, and is not made anew for ever', async () => {
    const { invoiceId, operationId } = await beginCapture()
    onItsWay = () => LOST
    let last = operationId
    for (let round = 1; round <= 6; round += 1) {
      await lookUp(invoiceId, last, round * HOUR)
      last = (await attemptsOf(invoiceId)).at(-1)?.id ?? ''
    }
    expect(await attemptsOf(invoiceId)).toHaveLength(4)
    expect(sent).toHaveLength(3)
    expect(await rowOf(invoiceId)).toMatchObject({ status: 'pending-capture', capturingMinor: 2900 })
    const told = (await eventsOf(invoiceId)).filter((name) => name === 'transaction.operation.capture.pending')
    expect(told).toHaveLength(1)
  })

  test('is sent by the next look-up where the process ended before it was sent under its new reference', async () => {
    const { invoiceId, operationId, step } = await beginCapture()
    const at = step.at + HOUR
    const again = await makeAnew(fixture.deps, step.payment, { attemptId: operationId, at })
    const { operation } = again ?? {}
    expect(await rowOf(invoiceId)).toMatchObject({
      status: 'authorized',
      attemptsInFlight: [{ operationId: operation?.id, begunAt: at }],
    })
    // Twice at once it is made anew once.
    expect(await makeAnew(fixture.deps, step.payment, { attemptId: operationId, at })).toBeNull()
    await lookUp(invoiceId, operationId, HOUR)
    expect(sent).toEqual([])
    expect(await lookUp(invoiceId, operation?.id ?? '', HOUR)).toMatchObject({
      payment: { status: 'completed', capturedMinor: 2900 },
    })
    expect(sent).toEqual([operation?.id])
    // Its caller hears of it under the command.
    expect(await activities().capture(step)).toMatchObject({ answer: { kind: 'done' } })
    expect(sent).toHaveLength(1)
  })

  test('keeps its lines of the invoice when it is made anew, and they are captured once', async () => {
    const invoiceId = await authorize()
    const [line = ''] = await makeLines(invoiceId, [1_000, 1_900])
    const byLine = () => fixture.captureCommand(1_000, { detailIds: [line], isFinal: false, wantsRest: true })
    const step = fixture.step(invoiceId, byLine())
    await beginAttempt(fixture.deps, step)
    const at = step.at + HOUR
    const { operation } =
      (await makeAnew(fixture.deps, step.payment, { attemptId: step.command.operationId, at })) ?? {}
    await lookUp(invoiceId, operation?.id ?? '', HOUR)
    expect(await em().findOneOrFail(InvoiceDetailEntity, { id: line })).toMatchObject({
      captureOperationId: operation?.id,
      capturedMinor: 1_000,
    })
    expect((await activities().capture(fixture.step(invoiceId, byLine()))).answer).toMatchObject({ kind: 'refused' })
    expect((await rowOf(invoiceId)).capturedMinor).toBe(1_000)
  })

  test('is not made anew once staff have closed it, who told the merchant so', async () => {
    const { invoiceId, operationId, step } = await beginCapture()
    const closing = { outcome: NOT_FOUND, at: step.at, actor: 'staff', closedBy: 'staff', step: null } as const
    await recordOutcome(fixture.deps, step.payment, { ...closing, attemptId: operationId })
    const again = await makeAnew(fixture.deps, step.payment, { attemptId: operationId, at: step.at + HOUR })
    expect(again).toBeNull()
    expect(await attemptsOf(invoiceId)).toHaveLength(1)
    expect(await rowOf(invoiceId)).toMatchObject({ status: 'authorized', capturingMinor: 0 })
  })

  test('is not made anew while its project is suspended, even where that happens after the look-up', async () => {
    const { invoiceId, operationId, step } = await beginCapture()
    await em().execute('update project set suspended_at = now() where id = ?', [fixture.projectId])
    try {
      await lookUp(invoiceId, operationId, HOUR)
      const again = { attemptId: operationId, at: step.at + HOUR }
      expect(await makeAnew(fixture.deps, step.payment, again)).toBeNull()
    } finally {
      await em().execute('update project set suspended_at = null where id = ?', [fixture.projectId])
    }
    expect(sent).toEqual([])
    expect(await attemptsOf(invoiceId)).toHaveLength(1)
  })

  test('says nothing of the first call where the authorization is not found when it is sent again', async () => {
    const { invoiceId, operationId } = await beginCapture()
    onItsWay = () => NOT_FOUND
    expect(await lookUp(invoiceId, operationId, SECOND)).toMatchObject({
      answer: { kind: 'pending' },
      payment: { attemptsInFlight: [{ operationId }] },
    })
    expect(sent).toEqual([operationId])
  })
})

describe('a call to an account that is another one now', () => {
  const exchange = () =>
    em().execute('update gateway_configuration set account_version = account_version + 1 where project_id = ?', [
      fixture.projectId,
    ])

  test.each([
    ['authorization', beginAuthorization, SECOND],
    ['authorization', beginAuthorization, 10 * DAY],
    ['capture', beginCapture, SECOND],
    ['capture', beginCapture, HOUR],
    ['capture', beginCapture, 10 * DAY],
  ])('is not sent again nor taken for failed because that never saw it: %s', async (_, begin, laterMs) => {
    const { invoiceId, operationId } = await begin()
    await exchange()
    expect(await lookUp(invoiceId, operationId, laterMs)).toMatchObject({
      answer: { kind: 'pending' },
      payment: { attemptsInFlight: [{ operationId }] },
    })
    expect(sent).toEqual([])
  })
})
