import { beforeAll, describe, expect, test } from '@jest/globals'
import type { VelocityPath } from '../../../domain/routing/condition.ts'
import { type VelocityValues, velocityNeed } from '../../../domain/routing/velocity.ts'
import { InvoiceEntity } from '../../../src/persistence/entities/invoice.ts'
import { ProjectEntity } from '../../../src/persistence/entities/project.ts'
import { VelocityRecordEntity } from '../../../src/persistence/entities/velocity-record.ts'
import {
  countVelocities,
  createVelocityRecord,
  VELOCITY_RECORDS_MAX,
} from '../../../src/persistence/queries/routing/velocity-records.ts'
import type { Scope } from '../../../src/persistence/queries/scope.ts'
import { transact } from '../../../src/persistence/transact.ts'
import { databaseForFile } from '../../support/payment-for-file.ts'
import { makeRows } from '../rows.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const HOUR_MS = 60 * 60 * 1000
const FINGERPRINT = 'a'.repeat(64)
const NOTHING: VelocityValues = { card_fingerprint: null, card_iin: null, customer_id: null, ip_address: null }
const CARD: VelocityValues = { ...NOTHING, card_fingerprint: FINGERPRINT, card_iin: '42424242' }

const mine: Scope = { projectId: 'proj_mine', sandbox: true }
const live: Scope = { projectId: 'proj_mine', sandbox: false }
const theirs: Scope = { projectId: 'proj_theirs', sandbox: true }

const needs = (interval: string, ...paths: VelocityPath[]) =>
  paths.map((path) => velocityNeed({ kind: 'velocity', path, interval }))

const database = databaseForFile()
let attempts = 0
const em = () => database.orm.em.fork()

beforeAll(async () => {
  for (const id of ['proj_mine', 'proj_theirs']) await em().insert(ProjectEntity, { id, name: id, createdAt: NOW })
})

/** An attempt of a payment, so many hours ago. */
async function attempt(scope: Scope, invoiceId: string, values: VelocityValues, hoursAgo: number): Promise<void> {
  const at = new Date(NOW.getTime() - hoursAgo * HOUR_MS)
  const { invoice } = makeRows('velocity')
  attempts += 1
  const writer = em()
  if ((await writer.findOne(InvoiceEntity, { id: invoiceId })) === null)
    await writer.insert(InvoiceEntity, {
      ...invoice,
      ...scope,
      id: invoiceId,
      referenceId: null,
      customerId: null,
      tokenId: null,
    })
  await transact(database.orm, async (inner) => {
    createVelocityRecord(inner, scope, {
      operationId: `tr_op_${attempts}`,
      invoiceId,
      values,
      isOfClient: false,
      at,
      now: NOW,
    })
  })
}

const count = async (scope: Scope, interval: string, values: VelocityValues, exceptInvoiceId: string | null = null) => {
  const wanted = needs(interval, 'card_fingerprint', 'card_iin', 'customer_id', 'ip_address')
  const counts = await countVelocities(em(), scope, wanted, { ...values, exceptInvoiceId, at: NOW })
  return Object.fromEntries([...counts].map(([key, value]) => [key.split('/')[0], value]))
}

describe('a velocity does not count', () => {
  const values = { ...CARD, card_fingerprint: 'b'.repeat(64), card_iin: '55555555' }

  test('the payment itself, however often it was tried', async () => {
    await attempt(mine, 'iv_1', values, 0.5)
    await attempt(mine, 'iv_1', values, 0.1)
    expect(await count(mine, '1h', values, 'iv_1')).toEqual({ card_fingerprint: 0, card_iin: 0 })
  })

  test('another project’s payments, nor those of the other environment', async () => {
    await attempt(theirs, 'iv_2', values, 0.1)
    await attempt(live, 'iv_3', values, 0.1)
    expect(await count(mine, '1h', values, 'iv_1')).toEqual({ card_fingerprint: 0, card_iin: 0 })
    expect(await count(theirs, '1h', values)).toEqual({ card_fingerprint: 1, card_iin: 1 })
    expect(await count(live, '1h', values)).toEqual({ card_fingerprint: 1, card_iin: 1 })
  })

  test('what is from before the interval, or exactly at its beginning', async () => {
    await attempt(mine, 'iv_4', values, 1)
    await attempt(mine, 'iv_5', values, 25)
    expect(await count(mine, '1h', values, 'iv_1')).toEqual({ card_fingerprint: 0, card_iin: 0 })
    expect(await count(mine, '2h', values, 'iv_1')).toEqual({ card_fingerprint: 1, card_iin: 1 })
    expect(await count(mine, '30d', values, 'iv_1')).toEqual({ card_fingerprint: 2, card_iin: 2 })
    const together = ['1h', '2h', '30d'].flatMap((interval) => needs(interval, 'card_iin', 'card_fingerprint'))
    const counts = await countVelocities(em(), mine, together, { ...values, exceptInvoiceId: 'iv_1', at: NOW })
    expect(together.map(({ key }) => counts.get(key))).toEqual([0, 0, 1, 1, 2, 2])
  })

  test('payments with other values of the card', async () => {
    const other = { ...NOTHING, card_fingerprint: 'c'.repeat(64), card_iin: '55555555' }
    expect(await count(mine, '1h', other)).toEqual({ card_fingerprint: 0, card_iin: 1 })
  })

  test('what this payment does not have: the count is missing, and is no zero', async () => {
    expect(await count(mine, '1h', NOTHING)).toEqual({})
  })
})

describe('a velocity counts', () => {
  test('payments, and not attempts', async () => {
    for (const hours of [0.9, 0.8, 0.7]) await attempt(mine, 'iv_6', CARD, hours)
    await attempt(mine, 'iv_7', CARD, 0.6)
    expect(await count(mine, '1h', CARD)).toEqual({ card_fingerprint: 2, card_iin: 2 })
  })

  test('by customer and by address', async () => {
    const ann = { ...NOTHING, customer_id: 'cust_ann', ip_address: '2001:db8::7' }
    await attempt(mine, 'iv_8', ann, 0.5)
    await attempt(mine, 'iv_9', { ...ann, ip_address: '192.0.2.1' }, 0.5)
    expect(await count(mine, '1h', ann)).toEqual({ customer_id: 2, ip_address: 1 })
  })
})

describe('a card with tens of thousands of payments', () => {
  const flood = { ...NOTHING, card_fingerprint: 'f'.repeat(64) }

  test('is counted from the newest one to a limit, by its index and nothing else', async () => {
    await em().transactional(async (inner) => {
      await inner.execute(`insert into invoice
        select copied.* from invoice, generate_series(1, 1000) number,
            jsonb_populate_record(invoice, jsonb_build_object('id', 'iv_flood' || number)) copied
         where invoice.id = 'iv_7'`)
      await inner.execute(
        `insert into velocity_record (operation_id, project_id, sandbox, invoice_id, card_fingerprint, at, created_at)
         select 'tr_op_flood' || number, ?, ?, 'iv_flood' || number % 1000 + 1,
                case when number % 2 = 0 then ? else 'another card ' || number end, ?::timestamptz - number * interval '1 second', ?::timestamptz
           from generate_series(1, 30000) number`,
        [mine.projectId, mine.sandbox, flood.card_fingerprint, NOW, NOW],
      )
    })
    await em().execute('vacuum analyze velocity_record')
    expect(await count(mine, '30d', flood)).toEqual({ card_fingerprint: 500 })
    const plan = await em().execute<Record<string, unknown>[]>(
      `explain (analyze, format json) select invoice_id from velocity_record
        where project_id = ? and sandbox = ? and card_fingerprint = ? and at > ? and at <= 'infinity' and invoice_id <> ''
        order by at desc limit ${VELOCITY_RECORDS_MAX}`,
      [mine.projectId, mine.sandbox, flood.card_fingerprint, new Date(0)],
    )
    const told = JSON.stringify(plan)
    expect(told).toContain('"Index Name":"velocity_record_card"')
    expect(told).not.toContain('Seq Scan')
    expect(told).not.toContain('"Sort"')
  })
})

test('an attempt is marked once, however often its step is run', async () => {
  const { operationId } = await em().findOneOrFail(VelocityRecordEntity, { invoiceId: 'iv_7' })
  const again = transact(database.orm, async (inner) =>
    createVelocityRecord(inner, mine, {
      operationId,
      invoiceId: 'iv_7',
      values: CARD,
      isOfClient: false,
      at: NOW,
      now: NOW,
    }),
  )
  await expect(again).rejects.toThrow('duplicate key')
})
