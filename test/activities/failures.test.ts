import { describe, expect, test } from '@jest/globals'
import { defaultFailureConverter, defaultPayloadConverter } from '@temporalio/common'
import { withLoggableErrors } from '../../activities/failures.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { makePaymentFixture } from '../support/payment-fixture.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

/** Everything of an error that a history would hold. */
function told(error: unknown): string {
  const { message, stack, cause, details, type } = error as Record<string, unknown>
  return JSON.stringify({ message, stack, cause: String(cause), details, type })
}

/** As Temporal's own converter writes it down. */
const errorToFailure = (error: unknown) => defaultFailureConverter.errorToFailure(error, defaultPayloadConverter)

describe('an error that goes into a history', () => {
  const database = databaseForFile()

  test('repeats nothing of the row that the database refused, and is retried', async () => {
    const fixture = await makePaymentFixture(database)
    const invoiceId = await fixture.makeInvoice()
    await database.orm.em
      .fork()
      .nativeUpdate(InvoiceEntity, { id: invoiceId }, { name: 'Jane Doe', metadata: { email: 'jane@example.org' } })
    await database.orm.em
      .getConnection()
      .execute("alter table transaction add constraint planted check (status = 'planted')")
    const { authorize } = createSignedActivities(fixture.deps)
    const step = fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard()))

    const error = await authorize(step).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ nonRetryable: false, type: 'DatabaseError' })
    expect(told(error)).toContain('planted')
    expect(told(error)).not.toMatch(/Jane|jane@example/)
  })

  const SECRETS = [
    'sk_live_51HoldfastPlanted',
    'rk_test_51HoldfastPlanted',
    'AQEyhmfxKoqWaxZDw0m1_planted',
    'whsec_planted1234567890',
    'key_live_planted1234567890',
    '4242424242424242',
    '4242 4242 4242 4242',
  ]
  const thrownBy = async (thrown: unknown) => {
    const { call } = withLoggableErrors({
      call: async (_: unknown) => {
        throw thrown
      },
    })
    return call(null).then(
      () => null,
      (error: unknown) => error as Error,
    )
  }

  test.each(SECRETS)('repeats no secret that a library put into its words: %s', async (secret) => {
    const inner = new Error(`request failed with {"authorization":"${secret}"}`)
    const error = await thrownBy(new TypeError(`could not send ${secret}`, { cause: inner }))
    expect(error).toBeInstanceOf(TypeError)
    const written = JSON.stringify(errorToFailure(error))
    expect(written).toContain('could not send')
    expect(written).toContain('request failed')
    expect(written).not.toContain(secret)
    expect(told(error)).not.toContain(secret)
  })

  test('repeats nothing of a row either where a database error is behind another', async () => {
    const refused = await database.orm.em
      .fork()
      .execute("insert into project (id, name, created_at) values ('proj_planted', null, now()) -- Jane Doe")
      .catch((error: unknown) => new Error('The step failed.', { cause: error }))
    const written = JSON.stringify(errorToFailure(await thrownBy(refused)))
    expect(written).toContain('23502')
    expect(written).not.toMatch(/Jane|proj_planted/)
  })
})
