import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { makePaymentFixture } from '../support/payment-fixture.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('an account at which authorizations hold for less than seven days', () => {
  let database: TestDatabase
  let fixture: Awaited<ReturnType<typeof makePaymentFixture>>

  beforeAll(async () => {
    database = await makeDatabase()
    fixture = await makePaymentFixture(database)
    const authorizationValidity = [
      { scheme: 'visa', seconds: (4 * DAY_MS) / 1000 },
      { scheme: 'mastercard', seconds: (30 * DAY_MS) / 1000 },
    ]
    await database.orm.em
      .fork()
      .nativeUpdate(GatewayConfigurationEntity, { projectId: fixture.projectId }, { authorizationValidity })
  })
  afterAll(() => database.drop())

  const authorize = async (autoCaptureInMs: number | null) => {
    const [invoiceId, card] = [await fixture.makeInvoice(), await fixture.makeCard()]
    const at = fixture.deps.clock.now().getTime()
    const autoCaptureAt = autoCaptureInMs === null ? null : at + autoCaptureInMs
    const step = { ...fixture.step(invoiceId, fixture.authorizeCommand(card, { autoCaptureAt })), at, asOf: at }
    return { at, card, ...(await createSignedActivities(fixture.deps).authorize(step)) }
  }

  test('ends them then', async () => {
    const { at, payment } = await authorize(null)
    expect(payment.authorizationExpiresAt).toBe(at + 4 * DAY_MS)
  })

  test('takes no capture that would come after their end, and leaves the card unused', async () => {
    const { answer, card } = await authorize(4 * DAY_MS + 1)
    expect(answer).toMatchObject({ kind: 'refused', code: 'request.validation.invalid-date' })
    expect(await database.orm.em.fork().findOneOrFail(CardEntity, { id: card })).toMatchObject({
      usedByInvoiceId: null,
    })
    expect((await authorize(4 * DAY_MS)).answer).toEqual({ kind: 'done' })
  })
})
