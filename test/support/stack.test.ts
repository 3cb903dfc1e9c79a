import { describe, expect, test } from '@jest/globals'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { PLANTED } from './canary/final-look.ts'
import { TEST_CARD } from './card-data.ts'
import { makeReceiver } from './receiver.ts'
import { makeStack } from './stack.ts'

const { number, cvc } = TEST_CARD

const reasonOf = (stopped: Promise<void>): Promise<string> =>
  stopped.then(
    () => '',
    (error: Error) => error.message,
  )

// What every journey relies on without looking: a stack that leaves card data or a secret behind fails when it stops.
describe('a stack that stops', () => {
  test('finds card data in its log, in a row, in an answer and in a history', async () => {
    const stack = await makeStack({ mode: 'together' })
    const { id } = await stack.createCard()
    const { invoiceId } = await stack.payInvoice()
    const change = { name: number, metadata: { note: cvc } }
    stack.log.logger.info({ body: { cvc2: cvc } }, 'a request')
    await stack.database.orm.em.fork().nativeUpdate(CardEntity, { id }, change)
    await stack.get(`/cards/${id}`)
    await stack.temporal.workflow.getHandle(`payment-${invoiceId}`).terminate(`the card ${number}, ${PLANTED}`)
    const reason = await reasonOf(stack.stop())
    for (const place of ['The log', 'The database', `The answer to GET /cards/${id} (200)`]) {
      expect(reason).toContain(`${place} holds the security code`)
    }
    for (const place of [
      'The database',
      `The answer to GET /cards/${id} (200)`,
      `The history of payment-${invoiceId}`,
    ]) {
      expect(reason).toContain(`${place} holds the number ${number}`)
    }
  })

  test('finds its secrets in its log, in a row, in an answer and in a history, also in disguise', async () => {
    const stack = await makeStack({ mode: 'together' })
    const { secretKey } = stack.project
    const { headers } = await stack.post('/invoices', { name: 'A', amount: '1.00', currency: 'EUR' })
    const clientSecret = headers.get('x-service-client-secret') ?? ''
    expect(clientSecret).toMatch(/^ivs_/)
    await stack.createCard({ metadata: { note: Buffer.from(secretKey).toString('base64') } })
    const { invoiceId } = await stack.payInvoice()
    stack.log.logger.info({ headers: { authorization: `Basic ${Buffer.from('a:long password').toString('base64')}` } })
    await stack.temporal.workflow
      .getHandle(`payment-${invoiceId}`)
      .terminate(`for ${[...clientSecret].reverse().join('')}, ${PLANTED}`)
    const reason = await reasonOf(stack.stop())
    expect(reason).toContain('The log holds the header Authorization')
    expect(reason).toContain('The database holds the secret "key_sandbox_')
    expect(reason).toContain('The answer to POST /cards (200) holds the secret "key_sandbox_')
    expect(reason).toContain(`The history of payment-${invoiceId} holds the secret "ivs_`)
    expect(reason).not.toContain(secretKey)
  })
})

test('a receiver that stops finds card data and secrets in what it was sent', async () => {
  for (const note of [number, `key_live_${'x'.repeat(32)}`]) {
    const receiver = await makeReceiver()
    await fetch(receiver.url, { method: 'POST', body: JSON.stringify({ event_id: 'ev_1', note }) })
    expect(await reasonOf(receiver.stop())).toContain('The receiver was sent:')
  }
})
