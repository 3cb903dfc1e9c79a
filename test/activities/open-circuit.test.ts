import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../activities/payment/begin-attempt.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import type { LookUp, Outcome } from '../../domain/operation.ts'
import { nextDue } from '../../domain/payment.ts'
import { systemClock } from '../../src/clock.ts'
import { guardGateway } from '../../src/gateways/guard/guard-gateway.ts'
import { readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

/** The guard's own answer. */
const SHUT = { kind: 'declined', code: 'gateway.network-error' }

const HOUR_MS = 60 * 60 * 1000

describe('an open circuit', () => {
  const database = databaseForFile()
  let activities: ReturnType<typeof createSignedActivities>
  /** False where the gateway fails without having been asked, so that its books hold nothing of it. */
  let isWell = true
  /** Answered in place of the truth, which happens nevertheless. */
  let callsEndAs: Outcome | null = null
  let lookUpsEndAs: LookUp | null = null
  let mend: () => void = () => undefined

  const fixture = fixtureForFile(database, (simulator) => {
    const played =
      <Request>(call: (request: Request, signal: AbortSignal) => Promise<Outcome>) =>
      async (request: Request, signal: AbortSignal): Promise<Outcome> => {
        if (!isWell) return { kind: 'unknown', reason: 'No answer: TimeoutError.' }
        const outcome = await call(request, signal)
        return callsEndAs ?? outcome
      }
    const faulty = {
      ...simulator,
      authorize: played(simulator.authorize),
      capture: played(simulator.capture),
      void: played(simulator.void),
      refund: played(simulator.refund),
      lookUp: async (request: Parameters<typeof simulator.lookUp>[0], signal: AbortSignal): Promise<LookUp> =>
        lookUpsEndAs ?? simulator.lookUp(request, signal),
    }
    // A circuit that has just been opened stays so for every test; one that is mended waits for nothing.
    const guard = () => guardGateway(faulty, { clock: systemClock, onChange: () => undefined, openMs: [HOUR_MS] })
    let guarded = guard()
    mend = () => {
      isWell = true
      guarded = guard()
    }
    return {
      ...faulty,
      authorize: (...call) => guarded.authorize(...call),
      capture: (...call) => guarded.capture(...call),
      void: (...call) => guarded.void(...call),
      refund: (...call) => guarded.refund(...call),
      lookUp: (...call) => guarded.lookUp(...call),
    }
  })
  beforeAll(async () => {
    activities = createSignedActivities(fixture.deps)
  })
  beforeEach(() => {
    mend()
    callsEndAs = null
    lookUpsEndAs = null
  })

  const authorize = async (invoiceId: string, values: Parameters<typeof fixture.authorizeCommand>[1] = {}) =>
    activities.authorize(fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard(), values)))
  const authorized = async (values: Parameters<typeof fixture.authorizeCommand>[1] = {}) => {
    const invoiceId = await fixture.makeInvoice()
    expect(await authorize(invoiceId, values)).toMatchObject({ answer: { kind: 'done' } })
    return invoiceId
  }
  /** Payments of others are lost until one is not sent; then the gateway is well again, and its circuit open. */
  const open = async () => {
    isWell = false
    const kinds: string[] = []
    while (kinds.at(-1) !== 'declined' && kinds.length < 20)
      kinds.push((await authorize(await fixture.makeInvoice())).answer.kind)
    expect(kinds.slice(0, -1)).toEqual(kinds.slice(0, -1).map(() => 'pending'))
    expect(kinds.at(-1)).toBe('declined')
    isWell = true
  }
  const voidCommand = (values: { actor?: 'scheduler'; reason: 'authorization_expired' | null }) => ({
    ...fixture.captureCommand(),
    kind: 'void' as const,
    amountMinor: null,
    ...values,
  })
  const lookUp = (invoiceId: string, operationId: string) =>
    activities.lookUp({
      payment: fixture.step(invoiceId, fixture.captureCommand()).payment,
      operationId,
      at: fixture.deps.clock.now().getTime(),
    })
  const askedFor = async (invoiceId: string, type: string) =>
    (await readSimulatorLog(fixture.execute, { invoiceId })).requests.filter((request) => request.type === type)
  const books = (invoiceId: string) => database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })

  test('fails a payment at once, for certain, and lets it be paid when the gateway is back', async () => {
    await open()
    const invoiceId = await fixture.makeInvoice()
    expect(await authorize(invoiceId)).toMatchObject({
      answer: SHUT,
      payment: { status: 'failed', authorizedMinor: 0 },
    })
    expect(await askedFor(invoiceId, 'authorization')).toEqual([])
    mend()
    expect(await authorize(invoiceId)).toMatchObject({ answer: { kind: 'done' }, payment: { authorizedMinor: 2900 } })
    expect(await askedFor(invoiceId, 'authorization')).toHaveLength(1)
  })

  test('leaves the money where it is when a merchant captures, voids or refunds, and takes each of them later', async () => {
    const [captured, voided, refunded] = [await authorized(), await authorized(), await authorized()]
    await activities.capture(fixture.step(refunded, fixture.captureCommand()))
    await open()
    expect(await activities.capture(fixture.step(captured, fixture.captureCommand()))).toMatchObject({
      answer: SHUT,
      payment: { status: 'authorized', capturedMinor: 0, attemptsInFlight: [] },
    })
    expect(await activities.voidAuthorization(fixture.step(voided, voidCommand({ reason: null })))).toMatchObject({
      answer: SHUT,
      payment: { status: 'authorized', voidedMinor: 0, attemptsInFlight: [] },
    })
    const refund = () => ({
      ...fixture.captureCommand(2900),
      kind: 'refund' as const,
      amountMinor: 2900,
      refundId: makeIdentifier('refund', fixture.deps.randomBytes),
      reason: 'other' as const,
    })
    const askForRefund = () => activities.refund(fixture.step(refunded, refund()))
    expect(await askForRefund()).toMatchObject({
      answer: SHUT,
      payment: { status: 'completed', refundedMinor: 0, attemptsInFlight: [] },
    })
    mend()
    await activities.capture(fixture.step(captured, fixture.captureCommand()))
    await activities.voidAuthorization(fixture.step(voided, voidCommand({ reason: null })))
    await askForRefund()
    expect(await books(captured)).toMatchObject({ status: 'completed', capturedMinor: 2900 })
    expect(await books(voided)).toMatchObject({ status: 'voided', voidedMinor: 2900 })
    expect(await books(refunded)).toMatchObject({ status: 'refunded', refundedMinor: 2900 })
    expect(await askedFor(captured, 'capture')).toHaveLength(1)
    expect(await askedFor(voided, 'void')).toHaveLength(1)
    expect(await askedFor(refunded, 'refund')).toHaveLength(1)
  })

  test.each<[string, LookUp | null]>([
    ['that never saw it', null],
    ['that cannot be asked', { kind: 'not-offered' }],
  ])('books no release at the end of an authorization before it is made, at a gateway %s', async (_, found) => {
    const invoiceId = await authorized()
    await open()
    const command = voidCommand({ actor: 'scheduler', reason: 'authorization_expired' })
    const released = await activities.voidAuthorization(fixture.step(invoiceId, command))
    expect(released).toMatchObject({ payment: { voidedMinor: 0, expired: false } })
    expect(released.payment.attemptsInFlight).toMatchObject([{ operationId: command.operationId }])
    expect(await lookUp(invoiceId, command.operationId)).toMatchObject({ payment: { voidedMinor: 0 } })
    expect(await askedFor(invoiceId, 'void')).toEqual([])

    mend()
    lookUpsEndAs = found
    const released2 = await lookUp(invoiceId, command.operationId)
    expect(released2).toMatchObject({ payment: { status: 'voided', voidedMinor: 2900, expired: true } })
    expect(released2.payment.attemptsInFlight).toEqual([])
    expect(await askedFor(invoiceId, 'void')).toHaveLength(1)
  })

  test('releases an authorization nobody stands on when the gateway is back, and not by staff', async () => {
    callsEndAs = null
    const invoiceId = await fixture.makeInvoice()
    const card = await fixture.makeCard('4000000000007114')
    await activities.authorize(fixture.step(invoiceId, fixture.authorizeCommand(card)))
    const [orphan] = (await books(invoiceId)).orphans
    if (orphan === undefined) throw new Error('The test card has brought no partial approval.')
    await open()
    const command = {
      ...fixture.captureCommand(),
      kind: 'reverse-orphan' as const,
      actor: 'scheduler' as const,
      orphanOperationId: orphan.operationId,
    }
    const kept = await activities.reverseOrphan(fixture.step(invoiceId, command))
    expect(kept.payment).toMatchObject({ needsAttention: false, orphans: [orphan] })
    expect(nextDue(kept.payment)?.kind).not.toBe('reverse-orphan')
    mend()
    const { payment } = await lookUp(invoiceId, command.operationId)
    expect(payment).toMatchObject({ needsAttention: false, orphans: [], attemptsInFlight: [] })
    expect(await askedFor(invoiceId, 'void')).toHaveLength(1)
  })

  test('never turns a lost answer into a failure when the call comes again and is not sent', async () => {
    const invoiceId = await authorized()
    callsEndAs = { kind: 'unknown', reason: 'lost' }
    const capture = fixture.captureCommand()
    await activities.capture(fixture.step(invoiceId, capture))
    callsEndAs = null
    await open()
    const { answer, payment } = await lookUp(invoiceId, capture.operationId)
    expect(answer.kind).toBe('pending')
    expect(payment.attemptsInFlight).toMatchObject([{ operationId: capture.operationId }])
    mend()
    expect(await lookUp(invoiceId, capture.operationId)).toMatchObject({ payment: { capturedMinor: 2900 } })
    expect(await askedFor(invoiceId, 'capture')).toHaveLength(1)
  })

  test('leaves a step that a crash has interrupted unknown, and not failed', async () => {
    const invoiceId = await authorized()
    const step = fixture.step(invoiceId, fixture.captureCommand())
    await beginAttempt(fixture.deps, step)
    await open()
    expect(await activities.capture(step)).toMatchObject({ answer: { kind: 'pending' }, payment: { capturedMinor: 0 } })
    mend()
    expect(await lookUp(invoiceId, step.command.operationId)).toMatchObject({ payment: { capturedMinor: 2900 } })
    expect(await askedFor(invoiceId, 'capture')).toHaveLength(1)
  })

  test('never comes of test cards, whatever they play', async () => {
    const lost = '4000000000007007'
    for (let call = 1; call <= 7; call += 1) {
      const step = fixture.step(await fixture.makeInvoice(), fixture.authorizeCommand(await fixture.makeCard(lost)))
      expect(await activities.authorize(step)).toMatchObject({ answer: { kind: 'pending' } })
    }
    await authorized()
  })
})
