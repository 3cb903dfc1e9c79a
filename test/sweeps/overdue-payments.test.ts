import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { ServiceError } from '@temporalio/client'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { GatewayNotificationEntity } from '../../src/persistence/entities/gateway-notification.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { openPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import { pickUpOverduePayments } from '../../src/sweeps/overdue-payments.ts'
import type { PaymentDescription } from '../../src/temporal/client.ts'
import { type CapturedLog, captureLog } from '../support/captured-log.ts'
import { type AdjustableClock, fixedClock } from '../support/clock.ts'
import { holdLock } from '../support/held-lock.ts'
import { makeTransaction } from '../support/make-transaction.ts'
import { makePaymentFixture } from '../support/payment-fixture.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'
import { waitFor } from '../support/wait-for.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

const database = databaseForFile()
let fixture: Awaited<ReturnType<typeof makePaymentFixture>>
let clock: AdjustableClock
let log: CapturedLog
let asked: PaymentDescription[]
/** What comes of asking a payment; resolves where all is well. */
let answer: (payment: PaymentDescription) => Promise<void>

beforeAll(async () => {
  fixture = await makePaymentFixture(database, (gateway) => ({
    ...gateway,
    refund: async () => ({ kind: 'pending', gatewayOperationId: 'sim_refund' }),
  }))
})
beforeEach(async () => {
  await em().execute('truncate payment_pick_up, gateway_notification')
  await em().execute('update transaction set next_due_at = null, next_look_up_at = null')
  clock = fixedClock()
  log = captureLog()
  asked = []
  answer = async () => {}
})

const em = () => database.orm.em.fork()
const sweep = (stopping?: AbortSignal) =>
  pickUpOverduePayments(
    { orm: database.orm, clock, logger: log.logger },
    async (payment) => {
      asked.push(payment)
      await answer(payment)
    },
    stopping,
  )
const askedIds = () => asked.map(({ invoiceId }) => invoiceId)
const away = () => new ServiceError('Failed', { cause: Object.assign(new Error('14'), { code: 14 }) })

/** Makes a payment for each instant of something due, in ms before the sweep, and gives their invoices in this order. */
async function seed(
  overdueBy: readonly number[],
  {
    column = 'next_due_at',
    writtenAgo = DAY,
  }: { column?: 'next_due_at' | 'next_look_up_at'; writtenAgo?: number } = {},
): Promise<string[]> {
  const model = await fixture.makeInvoice()
  const modelId = await makeTransaction(em(), model, 'authorized')
  const now = clock.now().getTime()
  const payments = overdueBy.map((ago) => ({
    id: makeIdentifier('invoice', fixture.deps.randomBytes),
    at: new Date(now - ago).toISOString(),
  }))
  const json = JSON.stringify(payments)
  await em().execute(
    `insert into invoice select copy.* from invoice, jsonb_to_recordset(?::jsonb) as each (id text),
       jsonb_populate_record(invoice, jsonb_build_object('id', each.id)) as copy where invoice.id = ?`,
    [json, model],
  )
  await em().execute(
    `insert into transaction select copy.* from transaction, jsonb_to_recordset(?::jsonb) as each (id text, at timestamptz),
       jsonb_populate_record(transaction, jsonb_build_object('id', replace(each.id, 'iv_', 'tr_'), 'invoice_id', each.id,
         'updated_at', ?::timestamptz, '${column}', each.at)) as copy where transaction.id = ?`,
    [json, new Date(now - writtenAgo), modelId],
  )
  return payments.map(({ id }) => id)
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('the sweep of payments asks for', () => {
  test('what is overdue, what was due first first, and nothing that is due later', async () => {
    const [soon, long, longest, inDays] = await seed([3 * MINUTE, DAY, 2 * DAY, -5 * DAY, -SECOND, 2 * MINUTE])
    await sweep()
    expect(askedIds()).toEqual([longest, long, soon])
    expect(inDays).toBeDefined()
    expect(asked[0]).toMatchObject({ environment: 'sandbox', amountMinor: 2900, currency: 'EUR', orderId: null })
  })

  test('a look-up that nobody made', async () => {
    const [late] = await seed([3 * MINUTE, MINUTE], { column: 'next_look_up_at' })
    await sweep()
    expect(askedIds()).toEqual([late])
  })

  test('nothing that was written a moment ago: its run is at it', async () => {
    await seed([DAY], { writtenAgo: MINUTE })
    await sweep()
    expect(asked).toEqual([])
  })

  test('a capture that is due, though a refund of what was captured before is pending', async () => {
    const invoiceId = await fixture.makeInvoice()
    const activities = createSignedActivities(fixture.deps)
    const step = (command: Parameters<typeof fixture.step>[1]) => fixture.step(invoiceId, command) as never
    const autoCaptureAt = Date.now() + 5 * MINUTE
    await activities.authorize(step(fixture.authorizeCommand(await fixture.makeCard(), { autoCaptureAt })))
    await activities.capture(step(fixture.captureCommand(1000, { captureType: 'non-final' })))
    const { answer: refund } = await activities.refund(
      step({
        ...{ ...fixture.captureCommand(500), kind: 'refund' as const, reason: 'other' as const },
        refundId: makeIdentifier('refund', fixture.deps.randomBytes),
      }),
    )
    expect(refund).toEqual({ kind: 'pending' })
    clock.advance(autoCaptureAt + 3 * MINUTE - clock.now().getTime())
    await em().nativeUpdate(TransactionEntity, { invoiceId }, { nextLookUpAt: new Date(autoCaptureAt + DAY) })
    await sweep()
    expect(askedIds()).toEqual([invoiceId])
  })

  test('a payment of which its gateway has reported before we knew its authorization', async () => {
    const invoiceId = await fixture.makeInvoice()
    const command = fixture.authorizeCommand(await fixture.makeCard())
    await createSignedActivities(fixture.deps).authorize(fixture.step(invoiceId, command) as never)
    const { projectId, sandbox, gatewayConfigurationId, gatewayAuthorizationId } = await em().findOneOrFail(
      TransactionEntity,
      { invoiceId },
    )
    const receivedAt = new Date(clock.now().getTime() - 3 * MINUTE)
    await em().insert(GatewayNotificationEntity, {
      ...{ projectId, sandbox, gatewayConfigurationId: String(gatewayConfigurationId), gatewayAuthorizationId },
      ...{ gatewayNotificationId: 'early', kind: 'chargeback-created', amountMinor: 2900, currency: 'EUR', receivedAt },
    } as never)
    await sweep()
    expect(askedIds()).toEqual([invoiceId])
  })

  test('each payment once where several processes sweep at once', async () => {
    const ids = await seed(range(450).map((index) => DAY - index * SECOND))
    await sweep()
    asked = []
    clock.advance(2 * MINUTE)
    // None gets further than the first payment before all have come to it.
    const lock = await holdLock(database, 'select from payment_pick_up for update')
    const sweeps = Promise.all([sweep(), sweep(), sweep()])
    await waitFor(async () => (await lock.countWaiting()) === 3)
    await lock.release()
    await sweeps
    expect(askedIds().toSorted()).toEqual(ids.toSorted())
  })
})

describe('a payment that does not get on', () => {
  test('keeps no other waiting, neither while it hangs nor where it cannot be asked', async () => {
    const [one, two, three, four, five, six, refused, last] = await seed(range(8).map((index) => DAY - index * SECOND))
    const hanging = [one, two, three, four, five, six]
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    answer = async ({ invoiceId }) => {
      if (invoiceId === refused) throw new Error('no such namespace')
      if (hanging.includes(invoiceId)) await released
    }
    const sweeping = sweep()
    await waitFor(() => askedIds().includes(last ?? ''))
    release()
    await sweeping
    expect(log.text()).toContain('no such namespace')
  })

  test('is asked for again later each time, and as late for as long as it is overdue', async () => {
    await seed([3 * MINUTE])
    const minutesAsked: number[] = []
    for (let minute = 0; minute <= 40; minute += 1) {
      const before = asked.length
      await sweep()
      if (asked.length > before) minutesAsked.push(minute)
      clock.advance(MINUTE)
    }
    expect(minutesAsked).toEqual([0, 2, 7, 22, 37])
  })

  test('is asked for at once when something else of it becomes due', async () => {
    const [invoiceId = ''] = await seed([3 * MINUTE])
    await sweep()
    const nextDueAt = new Date(clock.now().getTime() - 2.5 * MINUTE)
    await em().nativeUpdate(TransactionEntity, { invoiceId }, { nextDueAt, updatedAt: nextDueAt })
    await sweep()
    expect(askedIds()).toEqual([invoiceId, invoiceId])
  })

  test('because a dead session holds its row keeps no other waiting', async () => {
    const [held, other] = await seed([DAY, DAY - SECOND])
    await em().transactional(async (holder) => {
      await openPayment(holder, { projectId: fixture.projectId, sandbox: true, invoiceId: held ?? '' })
      await sweep()
    })
    expect(askedIds()).toEqual([held, other])
  })
})

describe('where Temporal is away, the sweep', () => {
  test('stops, and asks for all of them when it is back', async () => {
    const ids = await seed(range(250).map((index) => DAY - index * SECOND))
    answer = () => Promise.reject(away())
    await sweep()
    expect(asked.length).toBeLessThan(200)
    answer = async () => {}
    asked = []
    await sweep()
    expect(askedIds().toSorted()).toEqual(ids.toSorted())
  })

  test('gives back what it has not asked for when the process stops', async () => {
    const ids = await seed(range(60).map((index) => DAY - index * SECOND))
    const stopping = new AbortController()
    answer = async () => {
      stopping.abort()
      await sleep(1)
    }
    await sweep(stopping.signal)
    answer = async () => {}
    await sweep()
    expect(askedIds().toSorted()).toEqual(ids.toSorted())
  })
})
