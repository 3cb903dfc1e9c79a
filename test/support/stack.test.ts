import { describe, expect, test } from '@jest/globals'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { TEST_CARD } from './card-data.ts'
import { makeStack } from './stack.ts'

// What every journey relies on without looking: a stack that leaves card data behind fails when it stops.
describe('a stack that stops', () => {
  test('finds card data in its log, in a row and in a history', async () => {
    const stack = await makeStack({ mode: 'together' })
    const { id } = await stack.createCard()
    const { invoiceId } = await stack.payInvoice()
    stack.log.logger.info({ body: { cvc2: TEST_CARD.cvc } }, 'a request')
    await stack.database.orm.em.fork().nativeUpdate(CardEntity, { id }, { name: TEST_CARD.number })
    await stack.temporal.workflow.getHandle(`payment-${invoiceId}`).terminate(`the card ${TEST_CARD.number}`)
    const error = await stack.stop().then(
      () => null,
      (reason: Error) => reason.message,
    )
    expect(error).toContain('The log holds the security code')
    expect(error).toContain(`The database holds the number ${TEST_CARD.number}`)
    expect(error).toContain(`The history of payment-${invoiceId} holds the number ${TEST_CARD.number}`)
  })
})
