import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { PRODUCTION_WAITS } from '../../src/waits.ts'
import { holdLock } from '../support/held-lock.ts'
import { createHttpClient } from '../support/http-client.ts'
import { HIGH_LIMITS } from '../support/limits.ts'
import { createMerchant } from '../support/merchant.ts'
import { seededRandomBytes } from '../support/random.ts'
import { stackForFile } from '../support/stack-for-file.ts'

/** How long requests and steps wait for the payment, and so much longer for a place in the process that those before them end. */
const WAITS = { ...PRODUCTION_WAITS, turnMs: 2_000, lockMs: 500 }

/** Three requests of the process, and the step that the payment's workflow carries out. */
const WAITING_MAX = 4

/** Between one payment of another merchant and the next. */
const PAUSE_MS = 250

/** More than Temporal takes at once, and fewer where a process of its own carries the commands out, one after the other. */
describe.each([
  ['together', 12],
  ['apart', 5],
] as const)('a payment that a dead session has locked, with API and worker %s', (mode, count) => {
  const stack = stackForFile({ mode, waits: WAITS })

  /** Another shop on the same service. */
  const makeNeighbour = async () => {
    const { projectId, secretKey } = await createProject(stack.database.orm.em.fork(), {
      name: 'Neighbour',
      sandbox: true,
      randomBytes: seededRandomBytes(`neighbour ${stack.database.name}`),
      hashSecret: stack.vault.hashSecret,
      now: stack.clock.now(),
      limits: HIGH_LIMITS,
    })
    const http = createHttpClient(stack.baseUrl, { username: `test-${projectId}`, password: secretKey })
    return { ...http, ...createMerchant(http, new Set()) }
  }

  test('is answered 409 or 503 and moves no money, while other merchants are served', async () => {
    const neighbour = await makeNeighbour()
    const { invoiceId } = await stack.payInvoice()
    const invoice = `/invoices/${invoiceId}`
    const lock = await holdLock(stack.database, 'select from invoice where id = ? for update', [invoiceId])
    let isOver = false
    const captures = Array.from({ length: count }, () => stack.post(`${invoice}/capture`, { capture_amount: '1.00' }))
    const changes = Array.from({ length: count }, () => stack.put(invoice, { name: 'Order 2' }))
    const answering = Promise.all([...captures, ...changes]).finally(() => {
      isOver = true
    })
    const others: unknown[] = []
    const waiting: number[] = []
    while (!isOver) {
      const paid = await neighbour.payInvoice()
      const captured = await neighbour.post(`/invoices/${paid.invoiceId}/capture`)
      others.push([captured.status, captured.body.transaction?.status])
      others.push([(await stack.get(invoice)).status, 'read'])
      waiting.push(await lock.countWaiting())
      await sleep(PAUSE_MS)
    }
    const answers = await answering
    await lock.release()

    const told = new Set(
      answers.map(({ status, body, headers }) => `${status} ${body.error_type} ${headers.get('retry-after')}`),
    )
    expect([...told].sort()).toEqual(['409 request.still-processing 1', '503 request.not-started 5'])
    expect(others.length).toBeGreaterThan(2)
    expect(others.filter((other) => String(other) !== '200,completed' && String(other) !== '200,read')).toEqual([])
    expect(Math.max(...waiting)).toBeGreaterThan(0)
    expect(Math.max(...waiting)).toBeLessThanOrEqual(WAITING_MAX)

    // Of what was asked for meanwhile nothing is done later: the next step of the payment comes after all of it.
    const { status, body } = await stack.post(`${invoice}/capture`, { capture_amount: '2.00' })
    expect({ status, captured: body.transaction.captured_amount }).toEqual({ status: 200, captured: '2.00' })
    expect(await stack.gatewayRequests(invoiceId)).toMatchObject([
      { type: 'authorization', timesAsked: 1 },
      { type: 'capture', timesAsked: 1, amountMinor: 200 },
    ])
  })
})

describe('an authorization that waits for its payment until its auto_capture_at has passed', () => {
  const stack = stackForFile({ mode: 'apart', waits: { ...PRODUCTION_WAITS, turnMs: 20_000, lockMs: 20_000 } })

  test('does not begin any more, since the same call sent again was refused', async () => {
    const [{ id: invoiceId }, { id: source }] = await Promise.all([stack.createInvoice(), stack.createCard()])
    const dueAt = Date.now() + 2_000
    const body = { source, authorize_only: true, auto_capture_at: new Date(dueAt).toISOString() }
    const authorize = () =>
      stack.post(`/invoices/${invoiceId}/authorize`, body, { headers: { 'Idempotency-Key': 'the same' } })
    const lock = await holdLock(stack.database, 'select from invoice where id = ? for update', [invoiceId])
    const first = authorize()
    await sleep(dueAt + 500 - Date.now())
    const again = await authorize()
    await lock.release()

    expect(again).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-date' } })
    expect(await first).toMatchObject({ status: 503, body: { error_type: 'request.not-started' } })
    expect(await stack.gatewayRequests(invoiceId)).toEqual([])
  })
})
