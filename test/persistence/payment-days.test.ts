import { beforeAll, describe, expect, test } from '@jest/globals'
import {
  countOperations,
  readCurrencies,
  readPaymentDays,
} from '../../src/persistence/queries/statistics/payment-days.ts'
import { countAllOperations } from '../dashboard/count-operations.ts'
import { interfaceForFile } from '../http/interface.ts'
import { rowWriter } from '../http/row-writer.ts'
import { forFile } from '../support/for-file.ts'

const api = interfaceForFile()
const rows = forFile(async () => rowWriter(api, api.merchant))
let operations = 0

beforeAll(async () => {
  await rows.invoice('iv_1')
  await rows.transaction('tr_1', 'iv_1')
})

const result = (fields: object, day = '2026-11-20') => {
  operations += 1
  const createdAt = new Date(`${day}T23:30:00Z`)
  const { gatewayConfigurationId } = rows
  const given = { isAttempt: false, outcome: 'succeeded', gatewayConfigurationId, createdAt, ...fields }
  return rows.operation(`tr_op_${operations}`, 'tr_1', given)
}

const count = () => countAllOperations(api.database)

const NOVEMBER = Array.from({ length: 30 }, (_, day) => `2026-11-${String(day + 1).padStart(2, '0')}`)

async function read(days = NOVEMBER, gatewayConfigurationId: string | null = null) {
  const em = api.database.orm.em.fork()
  const of = { projectId: api.merchant.projectId, sandbox: true, days, gatewayConfigurationId }
  const lines: string[] = []
  for (const currency of await readCurrencies(em, of))
    for (const { kind, errorCode, counts, amountsMinor } of (await readPaymentDays(em, of, currency)).series)
      for (const [place, day] of days.entries())
        lines.push([day.slice(8), currency, kind, errorCode, counts[place], amountsMinor[place]].join(' '))
  return lines.filter((line) => !line.endsWith(' 0 0')).sort()
}

describe('the results of operations are counted by days', () => {
  test('in UTC, each once, by kind, currency and code', async () => {
    await result({ isAttempt: true, outcome: null })
    await result({ type: 'authorization' })
    await result({ type: 'authorization', amountMinor: 100 })
    await result({ type: 'authorization', currency: 'JPY', amountMinor: 5 }, '2026-11-21')
    await result({ type: 'authorization', outcome: 'failed', errorCode: 'card.expired' })
    await result({ type: 'authorization', outcome: 'failed', gatewayConfigurationId: null })
    await result({ type: 'authorization', outcome: 'pending' })
    await result({ type: 'increment_authorization', amountMinor: 50 })
    await result({ type: 'increment_authorization', outcome: 'failed' })
    await result({ type: 'capture', amountMinor: 2000 })
    await result({ type: 'capture', outcome: 'failed' })
    await result({ type: 'refund', amountMinor: 300 })
    await result({ type: 'void' })
    await count()
    const expected = [
      '20 EUR approved  2 3050',
      '20 EUR captured  1 2000',
      '20 EUR declined  1 2900',
      '20 EUR declined card.expired 1 2900',
      '20 EUR refunded  1 300',
      '21 JPY approved  1 5',
    ]
    expect(await read()).toEqual(expected)
    await count()
    expect(await read()).toEqual(expected)
    expect(await read(['2026-11-21'])).toEqual(['21 JPY approved  1 5'])
    expect(await read(undefined, rows.gatewayConfigurationId)).not.toContain('20 EUR declined  1 2900')
  })

  test('and taken off again where they fail after all, on the day of the failure', async () => {
    const failed = { outcome: 'failed', hasFailed: true, reason: 'failed_later' }
    await result({ type: 'capture', amountMinor: 2000, ...failed }, '2026-11-22')
    await result({ type: 'refund', amountMinor: 300, ...failed }, '2026-11-22')
    await count()
    expect(await read(['2026-11-22'])).toEqual(['22 EUR captured  -1 -2000', '22 EUR refunded  -1 -300'])
  })

  test('also where one that began earlier is committed later, and still once', async () => {
    const em = api.database.orm.em.fork()
    await em.begin()
    await em.execute('select pg_current_xact_id()')
    const day = ['2026-11-23']
    await result({ type: 'capture', amountMinor: 1 }, '2026-11-23')
    await countOperations(api.database.orm.em.fork())
    expect(await read(day)).toEqual([])
    await em.execute(
      `insert into operation select (jsonb_populate_record(operation, jsonb_build_object('id', 'tr_op_late', 'amount_minor', 10,
              'written_by', pg_current_xact_id()::text::bigint, 'position', null))).*
         from operation where amount_minor = 1 and type = 'capture'`.replace(
        'insert into operation select',
        'insert into operation overriding user value select',
      ),
    )
    await em.commit()
    await count()
    expect(await read(day)).toEqual(['23 EUR captured  2 11'])
  })

  test('once, by however many processes, and what comes later that day is added', async () => {
    for (let made = 0; made < 20; made += 1) await result({ type: 'refund', amountMinor: 1 }, '2026-11-24')
    await Promise.all(Array.from({ length: 6 }, () => countOperations(api.database.orm.em.fork())))
    await count()
    expect(await read(['2026-11-24'])).toEqual(['24 EUR refunded  20 20'])
    await result({ type: 'refund', amountMinor: 5 }, '2026-11-24')
    await count()
    expect(await read(['2026-11-24'])).toEqual(['24 EUR refunded  21 25'])
  })

  test('of this environment alone', async () => {
    const { projectId } = api.merchant
    const live = { projectId, sandbox: false, days: NOVEMBER, gatewayConfigurationId: null }
    const em = api.database.orm.em.fork()
    expect(await readCurrencies(em, live)).toEqual([])
    const { series, countedTo } = await readPaymentDays(em, live, 'EUR')
    expect([series, countedTo]).toEqual([[], expect.any(Date)])
  })
})
