import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { makeReceiver, type ReceivedWebhook, type Receiver } from '../support/receiver.ts'
import { RETRY_WINDOWS } from '../support/retry-windows.ts'
import { stackForFile } from '../support/stack-for-file.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

describe('the test clock', () => {
  const stack = stackForFile({ mode: 'together' })
  const receivers: Receiver[] = []

  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()))
  })

  const receiver = async (...answers: Parameters<Receiver['answerWith']>) => {
    const made = await makeReceiver()
    made.answerWith(...answers)
    receivers.push(made)
    return made
  }
  const authorized = async (authorize: object = {}, invoice: object = {}) =>
    (await stack.payInvoice({ authorize, invoice })).invoiceId
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
  const advance = (invoiceId: string, body: object, headers: Record<string, string> = {}) =>
    stack.post(`/invoices/${invoiceId}/clock/advance`, body, { headers })
  /** An advance that succeeds. */
  const advanced = async (invoiceId: string, milliseconds: number) => {
    const { status, body } = await advance(invoiceId, { seconds: milliseconds / 1000 })
    expect({ status, outcome: body.outcome, message: body.message }).toEqual({ status: 200, outcome: 'success' })
    return body
  }
  const transactionOf = async (invoiceId: string) => {
    const { body } = await stack.get(`/invoices/${invoiceId}?expand=transaction`)
    return body.invoice.transaction
  }
  const rowOf = (invoiceId: string) => stack.database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })
  const eventsOf = async (invoiceId: string): Promise<{ id: string; name: string; fired_at: string }[]> => {
    const { body } = await stack.get('/events?limit=100&order=desc')
    return body.events.filter((event: { invoice_id: string }) => event.invoice_id === invoiceId).reverse()
  }
  const deliveriesOf = async (invoiceId: string, name: string) => {
    const event = await stack.waitFor(async () => (await eventsOf(invoiceId)).find((one) => one.name === name))
    const { body } = await stack.get(`/events/${event.id}/webhooks?expand=attempts&limit=100`)
    return body.webhooks
  }

  describe('advanced by days', () => {
    test('lets the authorization expire, and sends the webhooks of that before it answers', async () => {
      const target = await receiver(200)
      const invoiceId = await authorized({}, { webhook_url: target.url })
      const { transaction } = await advanced(invoiceId, 7 * DAY_MS + MINUTE_MS)
      expect(transaction).toMatchObject({ status: 'voided', voided_amount: '29.00', captured_amount: '0.00' })
      const lateMs = Date.parse(transaction.voided_at) - Date.parse(transaction.authorization_expires_at)
      expect(lateMs).toBeGreaterThanOrEqual(0)
      expect(lateMs).toBeLessThan(MINUTE_MS)
      const names = target.received.map(({ body }) => JSON.parse(body).event_type)
      expect(names).toEqual(expect.arrayContaining(['transaction.authorization.expiring', 'transaction.voided']))
      expect(await stack.post(`/invoices/${invoiceId}/capture`)).toMatchObject({
        status: 410,
        body: { error_type: 'gateway.expired' },
      })
      expect((await stack.gatewayRequests(invoiceId)).map(({ type }) => type)).toEqual(['authorization', 'void'])
    })
  })

  describe('a webhook that is never accepted', () => {
    const attemptsOf = async (invoiceId: string, name: string) => {
      const [delivery] = await deliveriesOf(invoiceId, name)
      return { delivery, attempts: delivery.attempts as { attempted_at: string; response_code: string }[] }
    }
    /** The rows of the specification that an attempt is outside of. */
    const outside = (attempts: { attempted_at: string }[]) => {
      const [first, ...retries] = attempts.map(({ attempted_at: at }) => Date.parse(at))
      return retries.filter((at, index) => {
        const row = RETRY_WINDOWS[index]
        const seconds = (at - (first ?? 0)) / 1000
        // What the machine takes to begin an attempt that is due.
        return row === undefined || seconds < row.minSeconds - 0.5 || seconds > row.maxSeconds + 10
      })
    }

    test('gets its whole schedule of 72 hours, each attempt inside its row, in seconds', async () => {
      const target = await receiver(500)
      const { body } = await stack.post('/webhook-endpoints', {
        url: target.url,
        events_whitelist: ['transaction.authorized'],
      })
      const { id, secret } = body.webhook_endpoint
      const invoiceId = await authorized()
      await target.waitForCount(1)
      const { transaction } = await advanced(invoiceId, 72 * HOUR_MS)
      expect(transaction).toMatchObject({ status: 'authorized' })
      expect(target.received).toHaveLength(13)
      const { delivery, attempts } = await attemptsOf(invoiceId, 'transaction.authorized')
      expect(delivery).toMatchObject({ status: 'failed', attempt: 12 })
      expect(attempts.map(({ response_code: code }) => code)).toEqual(Array(13).fill('500'))
      expect(outside(attempts)).toEqual([])
      // A receiver refuses what was signed minutes ago or in the future: the signature is of the wall clock.
      for (const { body: text, headers } of target.received as ReceivedWebhook[])
        expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toMatchObject({
          event_type: 'transaction.authorized',
        })
      // Three days of one payment are no three days of its endpoint.
      const shown = await stack.get(`/webhook-endpoints/${id}`)
      expect(shown.body.webhook_endpoint).toMatchObject({ enabled: true })
      const failing = await stack.database.orm.em
        .fork()
        .execute<{ since: Date }[]>('select last_failure_at as since from webhook_endpoint where id = ?', [id])
      expect(new Date(failing[0]?.since ?? 0).getTime()).toBeLessThanOrEqual(Date.now())
      await stack.delete(`/webhook-endpoints/${id}`)
    })
  })

  describe('what must not happen', () => {
    test('two captures, where the merchant captures while the clock passes auto_capture_at', async () => {
      const invoiceIds = await Promise.all(Array.from({ length: 5 }, () => authorized({ auto_capture_at: inDays(1) })))
      const answers = await Promise.all(
        invoiceIds.flatMap((invoiceId, index) => [
          advance(invoiceId, { seconds: 2 * 86_400 }),
          sleep(index * 40).then(() => stack.post(`/invoices/${invoiceId}/capture`)),
        ]),
      )
      // The payment may be captured, and so have nothing to wait for, before its advance begins.
      for (const { status } of answers) expect([200, 400, 409]).toContain(status)
      for (const invoiceId of invoiceIds) {
        expect(await transactionOf(invoiceId)).toMatchObject({ status: 'completed', captured_amount: '29.00' })
        const asked = await stack.gatewayRequests(invoiceId)
        expect(asked.map(({ type }) => type)).toEqual(['authorization', 'capture'])
      }
    })
  })

  describe('two calls', () => {
    test('at once are served one after the other, and both count', async () => {
      const invoiceId = await authorized()
      const answers = await Promise.all([
        advance(invoiceId, { seconds: 86_400 }),
        advance(invoiceId, { seconds: 2 * 86_400 }),
      ])
      for (const { status } of answers) expect(status).toBe(200)
      const { clockOffsetMs, clockMove } = await rowOf(invoiceId)
      expect(clockOffsetMs).toBeGreaterThan(3 * DAY_MS - MINUTE_MS)
      expect(clockOffsetMs).toBeLessThan(3 * DAY_MS + MINUTE_MS)
      expect(clockMove ?? null).toBeNull()
    })
  })
})
