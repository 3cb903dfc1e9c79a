import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AUDITED_TABLES, type AuditedTable } from '../../src/audit/audited-columns.ts'
import { sealEntries } from '../../src/audit/seal-entries.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity, type TransactionRow } from '../../src/persistence/entities/transaction.ts'
import { recordAct } from '../../src/persistence/queries/audit/record-act.ts'
import { storeNotice } from '../../src/persistence/queries/payments/gateway-notices.ts'
import { readLog, verified } from '../support/audit-log.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { makePaymentActor, type PaymentActor } from '../support/payment-actor.ts'

let database: TestDatabase
let actor: PaymentActor

beforeAll(async () => {
  database = await makeDatabase()
  actor = await makePaymentActor(database)
})
afterAll(() => database.drop())

const em = () => database.orm.em.fork()
const transactionOf = (invoiceId: string): Promise<TransactionRow> =>
  em().findOneOrFail(TransactionEntity, { invoiceId })
const chainOf = async (invoiceId: string) => readLog(database, (await transactionOf(invoiceId)).id)

async function makeAuthorized(): Promise<string> {
  const invoiceId = await actor.makeInvoice({ incremental: true })
  await actor.carryOut(invoiceId, actor.build.authorize(await actor.makeSource(), { incremental: true }))
  return invoiceId
}

test('a change is in the log, whatever temporary tables have the names of the log', async () => {
  const invoiceId = await makeAuthorized()
  const before = (await chainOf(invoiceId)).length
  await em().transactional(async (hidden) => {
    for (const table of ['audit_entry', 'audit_unsealed', 'transaction'])
      await hidden.execute(`create temporary table ${table} (like public.${table}) on commit drop`)
    await hidden.execute('update public.transaction set needs_attention = true where invoice_id = ?', [invoiceId])
  })
  expect((await chainOf(invoiceId)).slice(before)).toMatchObject([{ kind: 'transaction.changed' }])
})

describe('the audit log refuses', () => {
  beforeAll(async () => {
    await makeAuthorized()
    await sealEntries(actor.deps)
  })

  test.each([
    ['an entry to be changed', "update audit_entry set actor = 'nobody'"],
    ['an entry to be changed into itself', 'update audit_entry set facts = facts'],
    ['an entry to be deleted', 'delete from audit_entry where number = (select max(number) from audit_entry)'],
    ['to be emptied', 'truncate audit_entry'],
    ['to be emptied with something else', 'truncate transaction, audit_entry cascade'],
    ['a seal to be changed', 'update audit_seal set number = number + 1'],
    ['a seal to be deleted', 'delete from audit_seal'],
    ['its seals to be emptied', 'truncate audit_seal'],
  ])('%s', async (_, statement) => {
    const before = await database.dump()
    await expect(em().execute(statement)).rejects.toThrow(/append only/)
    expect(await database.dump()).toBe(before)
  })

  test('a second entry in one place of a chain', async () => {
    const [entry] = await readLog(database)
    await expect(
      em().execute(
        `insert into audit_entry select nextval('audit_entry_number'), chain, position, project_id, sandbox, kind, actor, facts,
           occurred_at, previous_hash, hash from audit_entry where number = ?`,
        [entry?.number],
      ),
    ).rejects.toThrow(/audit_entry_chain_position_key/)
  })

  test('an act outside of the database transaction that carries it out', async () => {
    const act = { projectId: null, sandbox: null, kind: 'test.done', actor: 'operator:ada', facts: {} }
    await expect(recordAct(em(), act)).rejects.toThrow('in the database transaction')
  })
})

describe('no entry is left by', () => {
  test('a change of money state that is rolled back', async () => {
    const invoiceId = await makeAuthorized()
    const before = await readLog(database)
    const rolledBack = em().transactional(async (inner) => {
      await inner.nativeUpdate(TransactionEntity, { invoiceId }, { capturedMinor: 1 })
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    expect(await readLog(database)).toEqual(before)
  })

  test('an act that is rolled back', async () => {
    const before = await readLog(database)
    const rolledBack = em().transactional(async (inner) => {
      const act = { projectId: null, sandbox: null, kind: 'test.done', actor: 'operator:ada', facts: {} }
      await recordAct(inner, act)
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    expect(await readLog(database)).toEqual(before)
  })

  test('a change of what is no money state', async () => {
    const invoiceId = await makeAuthorized()
    const before = await readLog(database)
    await em().nativeUpdate(
      TransactionEntity,
      { invoiceId },
      { metadata: { order: '1' }, eventCount: 9, name: 'Order 2' },
    )
    expect(await readLog(database)).toEqual(before)
  })
})

describe('the chain of a payment', () => {
  test('tells of no card and no person', async () => {
    const planted = ['4242424242424242', 'Ada Lovelace', 'ada@example.com', 'Analytical Way', 'who-is-ada']
    const invoiceId = await actor.makeInvoice()
    const card = await actor.makeCard('4242424242424242', 'Ada Lovelace')
    await em().nativeUpdate(
      CardEntity,
      { id: card },
      { address1: 'Analytical Way', metadata: { email: 'ada@example.com' } },
    )
    await actor.carryOut(invoiceId, actor.build.authorize(card))
    await actor.carryOut(invoiceId, actor.build.capture())
    await actor.carryOut(invoiceId, actor.build.refund(100))
    const { id } = await transactionOf(invoiceId)
    await em().nativeUpdate(
      TransactionEntity,
      { id },
      {
        metadata: { email: 'ada@example.com' },
        name: 'who-is-ada',
        errorMessage: 'Ada Lovelace',
        needsAttention: true,
      },
    )
    await em().execute('update refund set information = ?, metadata = ?, status = ? where transaction_id = ?', [
      'Ada Lovelace',
      { email: 'ada@example.com' },
      'failed',
      id,
    ])
    await em().nativeUpdate(
      OperationEntity,
      { transactionId: id },
      { errorMessage: 'Ada Lovelace', metadata: { email: 'ada@example.com' }, hasFailed: true },
    )
    const entries = await readLog(database)
    expect(entries.filter(({ chain }) => chain === id).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['transaction.changed', 'operation.changed', 'refund.changed']),
    )
    for (const secret of planted) expect(JSON.stringify(entries)).not.toContain(secret)
  })

  test('has no gap and no fork, whoever changes the payment at once, also without its lock', async () => {
    const invoiceId = await makeAuthorized()
    const { id } = await transactionOf(invoiceId)
    const captures = Array.from({ length: 8 }, (_, index) =>
      actor.carryOut(invoiceId, actor.build.capture(100 + index, { isFinal: false })),
    )
    const [operation] = await em().find(OperationEntity, { transactionId: id, isAttempt: false, type: 'authorization' })
    const marks = Array.from({ length: 8 }, async (_, index) => {
      await em().nativeUpdate(TransactionEntity, { invoiceId }, { needsAttention: index % 2 === 0 })
      // A row of the payment that nobody holds the payment for.
      await em().execute(
        `insert into operation (id, project_id, sandbox, transaction_id, type, is_attempt, has_failed, is_accountable,
           amount_minor, currency, actor, metadata, created_at)
         select id || ?, project_id, sandbox, transaction_id, 'request', false, false, false, 0, currency, actor, '{}', now()
           from operation where id = ?`,
        [`_${index}`, operation?.id],
      )
    })
    const outcomes = await Promise.allSettled([...captures, ...marks])
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    const chain = await chainOf(invoiceId)
    expect(chain.map(({ position }) => position)).toEqual(chain.map((_, index) => index + 1))
    expect(chain.slice(1).map((entry) => entry.previousHash)).toEqual(chain.slice(0, -1).map(({ hash }) => hash))
    expect(chain.length).toBeGreaterThan(8 * 5)
    expect(await verified(database)).toEqual([])
  })

  test.each<[string, (invoiceId: string) => Promise<unknown>, Partial<TransactionRow>]>([
    [
      'an increment, two captures, two refunds and the void of the rest',
      async (invoiceId) => {
        await actor.carryOut(invoiceId, actor.build.increment(600))
        await actor.carryOut(invoiceId, actor.build.capture(1000, { isFinal: false }))
        await actor.carryOut(invoiceId, actor.build.refund(300))
        await actor.carryOut(invoiceId, actor.build.capture(500, { isFinal: false }))
        await actor.carryOut(invoiceId, actor.build.refund(200))
        await actor.carryOut(invoiceId, actor.build.void())
      },
      { authorizedMinor: 3500, capturedMinor: 1500, voidedMinor: 2000, refundedMinor: 500 },
    ],
    [
      'a void',
      (invoiceId) => actor.carryOut(invoiceId, actor.build.void()),
      { authorizedMinor: 2900, voidedMinor: 2900 },
    ],
    [
      'the end of the authorization',
      async (invoiceId) => {
        const ends = (await transactionOf(invoiceId)).authorizationExpiresAt?.getTime() ?? 0
        await actor.carryOut(invoiceId, actor.build.expiry(), { at: ends, asOf: ends })
      },
      { authorizedMinor: 2900, voidedMinor: 2900, expired: true },
    ],
    [
      'a capture that is charged back',
      async (invoiceId) => {
        await actor.carryOut(invoiceId, actor.build.capture())
        const { gatewayConfigurationId } = await transactionOf(invoiceId)
        await storeNotice(
          em(),
          {
            gatewayConfigurationId,
            gatewayNoticeId: `notice ${invoiceId}`,
            invoiceId,
            what: 'chargeback-created',
            reference: null,
            amountMinor: 2900,
            currency: 'EUR',
            reason: '10.4',
          },
          new Date(),
        )
        const now = actor.deps.clock.now().getTime()
        await actor.activities.applyNotices({ payment: actor.referenceOf(invoiceId), at: now })
      },
      { authorizedMinor: 2900, capturedMinor: 2900 },
    ],
  ])('holds every movement of a payment with %s, and ends with its row', async (_, play, expected) => {
    const invoiceId = await makeAuthorized()
    await play(invoiceId)
    const row = await transactionOf(invoiceId)
    expect(row).toMatchObject(expected)
    const chain = await chainOf(invoiceId)
    const facts = chain.map(({ kind, facts: text }) => ({ kind, ...JSON.parse(text) }))
    const moved = (...types: string[]) =>
      facts
        .filter((one) => one.kind === 'operation.created' && one.is_accountable && types.includes(one.type))
        .reduce((total, one) => total + one.amount_minor, 0)
    expect({
      authorizedMinor: moved('authorization', 'increment_authorization'),
      capturedMinor: moved('capture'),
      voidedMinor: moved('void'),
      refundedMinor: moved('refund'),
    }).toEqual({
      authorizedMinor: row.authorizedMinor,
      capturedMinor: row.capturedMinor,
      voidedMinor: row.voidedMinor,
      refundedMinor: row.refundedMinor,
    })
    const last = Object.assign({}, ...facts.map((one) => lastOf(one))) as Record<string, unknown>
    expect(last).toMatchObject({ status: row.status, captured_minor: row.capturedMinor, voided_minor: row.voidedMinor })
    expect(await verified(database)).toEqual([])
  })

  const lastOf = (one: { kind: string; changes?: Record<string, [unknown, unknown]> }) => {
    if (one.kind === 'transaction.created') return one
    if (one.kind !== 'transaction.changed') return {}
    return Object.fromEntries(Object.entries(one.changes ?? {}).map(([column, [, after]]) => [column, after]))
  }

  test('has the columns that are verified, and those of the database are the same', async () => {
    const invoiceId = await makeAuthorized()
    await actor.carryOut(invoiceId, actor.build.capture())
    await actor.carryOut(invoiceId, actor.build.refund())
    for (const table of Object.keys(AUDITED_TABLES) as AuditedTable[]) {
      const { values, instants } = AUDITED_TABLES[table]
      const [found] = await em().execute<{ columns: string[] }[]>(
        `select array(select jsonb_object_keys(audited_state(${table}))) as columns from ${table} limit 1`,
      )
      expect(found?.columns.toSorted()).toEqual([...values, ...instants].toSorted())
    }
  })

  test('is found by its index, however long the log is and whatever plan a connection keeps', async () => {
    const invoiceId = await makeAuthorized()
    const grown = await em().transactional(async (inner) => {
      // Counted of this connection, with what it has done before.
      const scans = async () => {
        const [row] = await inner.execute<{ sequential: number; indexed: number }[]>(
          `select seq_scan::integer as sequential, idx_scan::integer as indexed from pg_stat_xact_user_tables
            where relname = 'audit_entry'`,
        )
        return row ?? { sequential: 0, indexed: 0 }
      }
      const before = await scans()
      await inner.nativeUpdate(TransactionEntity, { invoiceId }, { needsAttention: true })
      await inner.execute(
        `update operation set error_code = 'x'
          where transaction_id = (select id from transaction where invoice_id = ?)`,
        [invoiceId],
      )
      const after = await scans()
      return { sequential: after.sequential - before.sequential, indexed: after.indexed - before.indexed }
    })
    expect(grown).toEqual({ sequential: 0, indexed: 4 })
  })

  test('begins, for a payment from before the log, with what was there', async () => {
    const older = await makeDatabase()
    try {
      const olderActor = await makePaymentActor(older)
      const invoiceId = await olderActor.makeInvoice()
      await olderActor.carryOut(invoiceId, olderActor.build.authorize(await olderActor.makeSource()))
      await olderActor.carryOut(invoiceId, olderActor.build.capture())
      await olderActor.carryOut(invoiceId, olderActor.build.refund(100))
      const sql = 'src/persistence/migrations/20261121142000-audit.sql'
      await older.orm.em.fork().execute(`
        drop table audit_entry, audit_unsealed, audit_seal;
        drop sequence audit_entry_number;
        drop function audit_row cascade;
        drop function audited_state(transaction), audited_state(operation), audited_state(refund),
          append_audit_entry, record_audit_act, refuse_change_of_audit`)
      await older.orm.em.fork().execute(await readFile(sql, 'utf8'))
      expect((await readLog(older)).map(({ kind, actor: by }) => [kind, by])).toContainEqual([
        'refund.created',
        'migration',
      ])
      await olderActor.carryOut(invoiceId, olderActor.build.refund(200))
      expect(await verified(older)).toEqual([])
    } finally {
      await older.drop()
    }
  })
})

describe('administrative acts', () => {
  test('are in the chain of their project or of the service, in their order, also at once', async () => {
    const { projectId } = actor
    const act = (index: number, of: string | null) => ({
      projectId: of,
      sandbox: null,
      kind: 'test.done',
      actor: 'operator:ada',
      facts: { index, none: null },
    })
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        em().transactional((inner) => recordAct(inner, act(index, index % 2 === 0 ? projectId : null))),
      ),
    )
    for (const chain of [`project ${projectId}`, 'service']) {
      const done = await readLog(database, chain)
      expect(done.map(({ position }) => position)).toEqual(done.map((_, index) => index + 1))
      expect(done.filter(({ kind }) => kind === 'test.done')).toHaveLength(4)
    }
    expect(await verified(database)).toEqual([])
  })
})
