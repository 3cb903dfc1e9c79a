import { describe, expect, test } from '@jest/globals'
import type { CommandAnswer, IdempotencyClaim } from '../../domain/command.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { answerLostKey } from '../../src/idempotency/record.ts'
import { IdempotencyKeyEntity } from '../../src/persistence/entities/idempotency-key.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

/** Approved, but the answer gets lost: only a look-up tells. */
const UNANSWERED = '4000000000007007'
/** Declined, because its authorization and its capture cannot be parted: the request was wrong for this card. */
const SALE_ONLY = '4000000000007155'

describe('a step that carries an idempotency key', () => {
  const database = databaseForFile()
  let count = 0

  const fixture = fixtureForFile(database)

  const em = () => database.orm.em.fork()
  const activities = () => createSignedActivities(fixture.deps)
  const newClaim = (): IdempotencyClaim => {
    count += 1
    return { id: String(count).padStart(64, '0'), requestHash: 'a'.repeat(64), requestId: `req_${count}` }
  }
  const keptFor = async ({ id }: IdempotencyClaim) => {
    const row = await em().findOne(IdempotencyKeyEntity, { id })
    return row === null
      ? null
      : { operationId: row.operationId, status: row.status, body: JSON.parse(row.body ?? 'null') }
  }
  const authorization = async (idempotency: IdempotencyClaim, number?: string) => {
    const invoiceId = await fixture.makeInvoice()
    const source = await fixture.makeCard(number)
    return { invoiceId, source, step: fixture.step(invoiceId, fixture.authorizeCommand(source, { idempotency })) }
  }
  const attemptsOf = async (invoiceId: string) => {
    const transaction = await em().findOne(TransactionEntity, { invoiceId })
    return em().count(OperationEntity, { transactionId: transaction?.id ?? '', isAttempt: true })
  }

  test('claims it with the attempt and keeps the answer with the outcome', async () => {
    const claim = newClaim()
    const { step } = await authorization(claim)
    await activities().authorize(step)
    expect(await keptFor(claim)).toMatchObject({
      operationId: step.command.operationId,
      status: 200,
      body: { success: true, outcome: 'success', transaction: { status: 'authorized', authorized_amount: '29.00' } },
    })
  })

  test('with the key of another operation writes nothing, asks nothing and says so, whatever it wants', async () => {
    const claim = newClaim()
    const { invoiceId, source, step } = await authorization(claim)
    await activities().authorize(step)
    const kept = await keptFor(claim)
    const [again, capture] = [
      fixture.step(invoiceId, fixture.authorizeCommand(source, { idempotency: claim })),
      fixture.step(invoiceId, fixture.captureCommand(1000, { idempotency: claim })),
    ]
    expect(await activities().authorize(again)).toMatchObject({ answer: { kind: 'duplicate' } })
    expect(await activities().capture(capture)).toMatchObject({ answer: { kind: 'duplicate' } })
    expect(await attemptsOf(invoiceId)).toBe(1)
    expect(await keptFor(claim)).toEqual(kept)
  })

  test('of two at once, one is carried out', async () => {
    for (let round = 0; round < 10; round += 1) {
      const claim = newClaim()
      const { invoiceId, source, step } = await authorization(claim)
      const twin = fixture.step(invoiceId, fixture.authorizeCommand(source, { idempotency: claim }))
      const results = await Promise.all([activities().authorize(step), activities().authorize(twin)])
      expect(results.map(({ answer }) => answer.kind).sort()).toEqual(['done', 'duplicate'])
      expect(await attemptsOf(invoiceId)).toBe(1)
    }
  })

  test('keeps a decline also where it reads as a refusal, and does not ask the gateway again', async () => {
    const claim = newClaim()
    const { invoiceId, source, step } = await authorization(claim, SALE_ONLY)
    expect(await activities().authorize(step)).toMatchObject({ answer: { kind: 'declined' } })
    expect(await keptFor(claim)).toMatchObject({
      status: 400,
      body: { error_type: 'request.gateway.operation-not-supported' },
    })
    const again = fixture.step(invoiceId, fixture.authorizeCommand(source, { idempotency: claim }))
    expect(await activities().authorize(again)).toMatchObject({ answer: { kind: 'duplicate' } })
    expect(await attemptsOf(invoiceId)).toBe(1)
  })

  test('leaves the key free where it is refused', async () => {
    const claim = newClaim()
    const { invoiceId, source, step } = await authorization(claim)
    const wrong = { ...step, command: { ...step.command, source: 'card_unknown' } }
    expect(await activities().authorize(wrong)).toMatchObject({ answer: { kind: 'refused' } })
    expect(await keptFor(claim)).toBeNull()
    const corrected = fixture.step(invoiceId, fixture.authorizeCommand(source, { idempotency: claim }))
    expect(await activities().authorize(corrected)).toMatchObject({ answer: { kind: 'done' } })
  })

  test.each<[string, (step: Awaited<ReturnType<typeof authorization>>) => Promise<CommandAnswer>, number, object]>([
    [
      'by state',
      async ({ invoiceId, source, step }) => {
        await activities().authorize({ ...step, command: { ...step.command, idempotency: null } })
        const { idempotency } = step.command
        const again = fixture.step(invoiceId, fixture.authorizeCommand(source, { idempotency }))
        return (await activities().authorize(again)).answer
      },
      200,
      { outcome: 'success', transaction: { status: 'authorized' } },
    ],
    [
      'that the authorization has expired',
      async ({ invoiceId, step }) => {
        await activities().authorize({ ...step, command: { ...step.command, idempotency: null } })
        const { idempotency } = step.command
        const capture = fixture.step(invoiceId, fixture.captureCommand(null, { idempotency }))
        const late = capture.asOf + 8 * 24 * 3600 * 1000
        return (await activities().capture({ ...capture, at: late, asOf: late })).answer
      },
      410,
      { error_type: 'gateway.expired' },
    ],
  ])('keeps an answer that needs no attempt: %s', async (_, ask, status, body) => {
    const claim = newClaim()
    await ask(await authorization(claim))
    expect(await keptFor(claim)).toMatchObject({ status, body })
  })

  test('keeps of a sale what its capture says, not what its authorization says', async () => {
    const claim = newClaim()
    const { invoiceId, step } = await authorization(claim)
    const command = { ...step.command, capture: fixture.captureCommand(null, { idempotency: claim }) }
    const answers = { operationId: command.operationId, unlessSaleGoesOn: true }
    await activities().authorize({ ...step, command, answers })
    expect(await keptFor(claim)).toMatchObject({ operationId: answers.operationId, status: null })
    const capture = fixture.step(invoiceId, command.capture)
    await activities().capture({ ...capture, answers: { ...answers, unlessSaleGoesOn: false } })
    expect(await keptFor(claim)).toMatchObject({ status: 200, body: { transaction: { status: 'completed' } } })
  })

  test('keeps the same of a sale that another request has authorized meanwhile', async () => {
    const claim = newClaim()
    const { invoiceId, source, step } = await authorization(claim)
    await activities().authorize(fixture.step(invoiceId, fixture.authorizeCommand(source)))
    const command = { ...step.command, capture: fixture.captureCommand(null, { idempotency: claim }) }
    const answers = { operationId: command.operationId, unlessSaleGoesOn: true }
    expect(await activities().authorize({ ...step, command, answers })).toMatchObject({ answer: { kind: 'unchanged' } })
    expect(await keptFor(claim)).toMatchObject({ status: null })
    const capture = fixture.step(invoiceId, command.capture)
    await activities().capture({ ...capture, answers: { ...answers, unlessSaleGoesOn: false } })
    expect(await keptFor(claim)).toMatchObject({ status: 200, body: { transaction: { status: 'completed' } } })
  })

  test('keeps what was told of an outcome that was not known', async () => {
    const claim = newClaim()
    const { invoiceId, step } = await authorization(claim, UNANSWERED)
    expect(await activities().authorize(step)).toMatchObject({ answer: { kind: 'pending' } })
    const kept = await keptFor(claim)
    expect(kept).toMatchObject({ status: 200, body: { outcome: 'pending' } })
    const { operationId } = step.command
    await activities().lookUp({ payment: step.payment, operationId, at: step.at })
    expect(await em().findOne(TransactionEntity, { invoiceId })).toMatchObject({ status: 'authorized' })
    expect(await keptFor(claim)).toEqual(kept)
  })

  test('run again after the outcome was booked without it, keeps that outcome', async () => {
    const claim = newClaim()
    const { step } = await authorization(claim)
    const { operationId } = step.command
    await activities().authorize(step)
    // As if it had ended right after its attempt, and a look-up had found the outcome.
    await em().nativeUpdate(IdempotencyKeyEntity, { id: claim.id }, { status: null, body: null, completedAt: null })
    expect(await activities().authorize(step)).toMatchObject({ answer: { kind: 'done' } })
    expect(await keptFor(claim)).toMatchObject({ operationId, status: 200, body: { outcome: 'success' } })
  })

  test.each([
    ['authorized', 'pending'],
    ['chargeback-initiated', 'success'],
  ] as const)(
    'answers a sale that is %s, and whose run was lost before its capture, with %s',
    async (status, outcome) => {
      const claim = newClaim()
      const { invoiceId, step } = await authorization(claim)
      await activities().authorize(step)
      await em().nativeUpdate(IdempotencyKeyEntity, { id: claim.id }, { status: null, body: null, completedAt: null })
      await em().nativeUpdate(TransactionEntity, { invoiceId }, { status, autoCaptureAt: new Date(step.at) })
      await answerLostKey(em(), claim, fixture.deps.clock.now())
      expect(await keptFor(claim)).toMatchObject({ status: 200, body: { outcome } })
    },
  )

  test('answers a refund whose run was lost with that refund', async () => {
    const claim = newClaim()
    const { invoiceId, step } = await authorization(newClaim())
    await activities().authorize(step)
    await activities().capture(fixture.step(invoiceId, fixture.captureCommand()))
    const { operationId, actor, deadline } = fixture.captureCommand()
    const refundId = makeIdentifier('refund', fixture.deps.randomBytes)
    const refund = { kind: 'refund', amountMinor: 500, refundId, reason: 'customer_request', detailIds: null } as const
    await activities().refund(fixture.step(invoiceId, { ...refund, operationId, actor, deadline, idempotency: claim }))
    const kept = await keptFor(claim)
    expect(kept).toMatchObject({ body: { refund: { id: refundId, amount: '5.00' } } })
    await em().nativeUpdate(IdempotencyKeyEntity, { id: claim.id }, { status: null, body: null, completedAt: null })
    await answerLostKey(em(), claim, fixture.deps.clock.now())
    expect(await keptFor(claim)).toEqual(kept)
  })
})
