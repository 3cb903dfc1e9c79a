import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { failures, withTellableErrors } from '../../activities/failures.ts'
import { createPaymentActivities } from '../../activities/index.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { makePaymentFixture } from '../support/payment-fixture.ts'

/** Everything of an error that a history would hold. */
function told(error: unknown): string {
  const { message, stack, cause, details, type } = error as Record<string, unknown>
  return JSON.stringify({ message, stack, cause: String(cause), details, type })
}

describe('an error that goes into a history', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await makeDatabase()
  })
  afterAll(() => database.drop())

  test('repeats nothing of the row that the database refused, and is retried', async () => {
    const fixture = await makePaymentFixture(database)
    const invoiceId = await fixture.makeInvoice()
    await database.orm.em
      .fork()
      .nativeUpdate(InvoiceEntity, { id: invoiceId }, { name: 'Jane Doe', metadata: { email: 'jane@example.org' } })
    await database.orm.em
      .getConnection()
      .execute('alter table transaction add constraint planted check (authorized_minor = 0)')
    const { authorize } = createPaymentActivities(fixture.deps)
    const step = fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard()))

    const error = await authorize(step).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toMatchObject({ nonRetryable: false, type: 'CheckConstraintViolationException' })
    expect(told(error)).toContain('planted')
    expect(told(error)).not.toMatch(/Jane|jane@example/)
  })

  test('stays what it is where it is one of ours', async () => {
    const { refuse } = withTellableErrors({
      refuse: async (_: unknown) => {
        throw failures.paymentNotFound('iv_1')
      },
    })
    await expect(refuse(null)).rejects.toMatchObject({ type: 'resource.invoice.not-found', nonRetryable: true })
  })
})
