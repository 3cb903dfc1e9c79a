import { describe, expect, test } from '@jest/globals'
import type { IdempotencyClaim } from '../../domain/command.ts'
import { IdempotencyKeyEntity } from '../../src/persistence/entities/idempotency-key.ts'
import { withdrawCommand } from '../../src/persistence/queries/payments/commands.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

const database = databaseForFile()

const fixture = fixtureForFile(database)

/** A worker whose clock is ahead of that of the host that set the deadline of 60 s. */
const worker = (aheadMs = 0) => {
  const { clock } = fixture.deps
  const ahead = { now: () => new Date(clock.now().getTime() + aheadMs) }
  return createSignedActivities({ ...fixture.deps, clock: ahead })
}
let keys = 0
const claimOf = (): IdempotencyClaim => {
  keys += 1
  return { id: String(keys).padStart(64, '0'), requestHash: 'a'.repeat(64), requestId: `req_${keys}` }
}
const keyOf = ({ id }: IdempotencyClaim) => database.orm.em.fork().findOne(IdempotencyKeyEntity, { id })
const saleOf = async (invoiceId: string, idempotency: IdempotencyClaim | null = null) => {
  const capture = fixture.captureCommand(null, { idempotency })
  const sale = fixture.authorizeCommand(await fixture.makeCard(), { capture, idempotency })
  return {
    sale,
    first: {
      ...fixture.step(invoiceId, sale),
      answers: { operationId: sale.operationId, unlessSaleGoesOn: true },
    },
    second: {
      ...fixture.step(invoiceId, capture),
      answers: { operationId: sale.operationId, unlessSaleGoesOn: false },
    },
  }
}
/** Another request authorizes the payment, so that the sale finds nothing to authorize. */
const overtaken = async () => {
  const invoiceId = await fixture.makeInvoice()
  await worker().authorize(fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard())))
  const idempotency = claimOf()
  const halves = await saleOf(invoiceId, idempotency)
  expect(await worker().authorize(halves.first)).toMatchObject({ answer: { kind: 'unchanged' } })
  return { invoiceId, idempotency, ...halves }
}

describe('the capture of a sale', () => {
  test('whose authorization was made is made as well, however far the clock of its worker is ahead', async () => {
    const invoiceId = await fixture.makeInvoice()
    const { first, second } = await saleOf(invoiceId)
    expect(await worker(40_000).authorize(first)).toMatchObject({ answer: { kind: 'done' } })
    expect(await worker(61_000).capture(second)).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'completed', capturedMinor: 2900 },
    })
  })

  test('that was overtaken is the first step of its command, and too late after the deadline', async () => {
    const { second } = await overtaken()
    expect(await worker(61_000).capture(second)).toMatchObject({
      answer: { kind: 'refused', code: 'request.not-started' },
      payment: { status: 'authorized', capturedMinor: 0 },
    })
  })

  test('that was overtaken and is too late gives the key of the sale back', async () => {
    const { idempotency, second, invoiceId } = await overtaken()
    expect(await keyOf(idempotency)).toMatchObject({ completedAt: null })
    await worker(61_000).capture(second)
    expect(await keyOf(idempotency)).toBeNull()
    const again = await saleOf(invoiceId, idempotency)
    await worker().authorize(again.first)
    expect(await worker().capture(again.second)).toMatchObject({ answer: { kind: 'done' } })
    expect(await keyOf(idempotency)).toMatchObject({ status: 200 })
  })

  test('that was overtaken and withdrawn gives the key of the sale back', async () => {
    const { idempotency, sale, second, invoiceId } = await overtaken()
    await withdrawCommand(database.orm.em.fork(), {
      ...{ projectId: fixture.projectId, sandbox: true, invoiceId, now: new Date() },
      operationId: sale.operationId,
      captureOperationId: second.command.operationId,
    })
    expect(await worker().capture(second)).toMatchObject({ answer: { kind: 'refused', code: 'request.not-started' } })
    expect(await keyOf(idempotency)).toBeNull()
  })

  test('that is too late takes no key of another request away', async () => {
    const { idempotency, second } = await overtaken()
    const stranger = { ...second, command: { ...second.command, idempotency } }
    const other = fixture.captureCommand()
    await worker(61_000).capture({
      ...stranger,
      command: { ...stranger.command, operationId: other.operationId },
      answers: { operationId: fixture.captureCommand().operationId, unlessSaleGoesOn: false },
    })
    expect(await keyOf(idempotency)).toMatchObject({ completedAt: null })
  })
})
