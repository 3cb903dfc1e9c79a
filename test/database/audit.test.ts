import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { writeCheckpoints } from '../../src/audit/write-checkpoints.ts'
import { AUDITED_TABLES, type AuditedTable, type Columns, nothingIn } from '../../src/database/audited-columns.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity, type TransactionRow } from '../../src/persistence/entities/transaction.ts'
import { recordAct } from '../../src/persistence/queries/audit/record-act.ts'
import { storeNotifications } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { addMember } from '../../src/persistence/queries/people/members.ts'
import { createPerson } from '../../src/persistence/queries/people/people.ts'
import { activateRuleSet, createRuleSet } from '../../src/persistence/queries/routing/rule-sets.ts'
import { readLog, verified } from '../support/audit-log.ts'
import { disputeNotification } from '../support/gateway-notifications.ts'
import { makePaymentActor, type PaymentActor } from '../support/payment-actor.ts'
import { actorForFile, databaseForFile } from '../support/payment-for-file.ts'

/**
 * What the log does not have: names and free text, what explains a result that it has, what a command asked for and what
 * never decides where money is. A new column is audited, or stands here.
 */
const NOT_AUDITED: Record<AuditedTable, readonly string[]> = {
  transaction: [
    'capabilities',
    'card_checks',
    // The advance under way; what it has moved is in `clock_offset_ms`.
    'clock_move',
    'created_at',
    // What a browser is sent through; the result is in `authentication`.
    'customer_action',
    // They follow from `disputes` and the amounts.
    'disputed_at',
    'disputed_minor',
    'disputes_open',
    'error_message',
    'event_count',
    'evidence_due_at',
    'expiry_announced',
    'gateway_request',
    'merchant_advice_code',
    'metadata',
    'name',
    // Both follow from columns that are audited.
    'next_due_at',
    'next_look_up_at',
    'recommendation_code',
    'retry_after',
    'routing_tags',
    'rule_set_id',
    'rule_set_version',
    'updated_at',
    // Where Temporal keeps the history of the run: it changes nothing of the payment.
    'workflow_run_id',
  ],
  operation: [
    'account_version',
    'authorization_code',
    'begun_at',
    'card_checks',
    'created_at',
    'detail_ids',
    'error_message',
    'fallback_of',
    'gateway_code',
    'gateway_request',
    'initial_scheme_transaction_id',
    'is_not_sent',
    'may_fall_back_to_sale',
    'merchant_advice_code',
    'overrides_advice',
    'position',
    'recommendation_code',
    'retry_after',
    'route',
    'save_source',
    'scheme_id',
    'scheme_used',
    'wanted_authentication',
    'written_by',
  ],
  refund: ['created_at', 'detail_ids', 'information', 'metadata', 'updated_at'],
  project: ['created_at', 'name'],
  api_key: ['created_at', 'last_used_at', 'name', 'secret_ending'],
  person: ['created_at', 'email', 'last_signed_in_at', 'name', 'totp_ciphertext', 'totp_key_id', 'totp_step'],
  // Its id is of the person and the project.
  project_member: ['created_at', 'person_id'],
  // Encrypting the credentials under another key changes nothing that the log is about.
  gateway_configuration: [
    'account_version',
    'created_at',
    'credentials_ciphertext',
    'credentials_key_id',
    'credentials_set_at',
    'enabled_at',
    'metadata',
    'name',
    'updated_at',
  ],
  // The acts have the digest of the text; the rules that were read from it decide.
  rule_set: ['created_at', 'text'],
  active_rule_set: ['activated_at'],
}

const database = databaseForFile()

const actor = actorForFile(database)

const em = () => database.orm.em.fork()

let people = 0

async function addPerson(projectId: string): Promise<string> {
  const now = new Date()
  people += 1
  return em().transactional(async (inner) => {
    const account = {
      email: `ada${people}@example.com`,
      name: 'Ada',
      passwordHash: '$argon2id$',
    }
    const person = await createPerson(inner, { ...account, actor: 'operator', randomBytes, now })
    const personId = String(person?.id)
    await addMember(inner, { projectId, personId, role: 'support', actor: 'operator', now })
    return personId
  })
}

/** A version of the routing rules that blocks nothing, and decides. */
async function activateRules(): Promise<{ id: string }> {
  const scope = { projectId: actor.referenceOf('iv_1').projectId, sandbox: true }
  const given = { text: 'route {}', rules: [], defaultCurrency: 'EUR', createdAt: new Date(), createdBy: 'key_1' }
  return em().transactional(async (inner) => {
    const id = makeIdentifier('ruleSet', randomBytes)
    const row = await createRuleSet(inner, scope, { ...given, id }, () => 'rr_1')
    await activateRuleSet(inner, scope, row.id, new Date())
    return row
  })
}
const transactionOf = (invoiceId: string): Promise<TransactionRow> =>
  em().findOneOrFail(TransactionEntity, { invoiceId })
const chainOf = async (invoiceId: string) => readLog(database, (await transactionOf(invoiceId)).id)

async function makeAuthorized(): Promise<string> {
  const invoiceId = await actor.makeInvoice({ incremental: true })
  await actor.executeCommand(invoiceId, actor.build.authorize(await actor.makeSource(), { incremental: true }))
  return invoiceId
}

test('a change is in the log, whatever temporary tables have the names of the log', async () => {
  const invoiceId = await makeAuthorized()
  const before = (await chainOf(invoiceId)).length
  await em().transactional(async (hidden) => {
    for (const table of ['audit_entry', 'audit_waiting', 'transaction'])
      await hidden.execute(`create temporary table ${table} (like public.${table}) on commit drop`)
    await hidden.execute('update public.transaction set needs_attention = true where invoice_id = ?', [invoiceId])
  })
  expect((await chainOf(invoiceId)).slice(before)).toMatchObject([{ kind: 'transaction.changed' }])
})

describe('the audit log refuses', () => {
  beforeAll(async () => {
    await makeAuthorized()
    await writeCheckpoints(actor.deps)
  })

  test.each([
    ['an entry to be changed', "update audit_entry set actor = 'nobody'"],
    ['an entry to be changed into itself', 'update audit_entry set facts = facts'],
    ['an entry to be deleted', 'delete from audit_entry where number = (select max(number) from audit_entry)'],
    ['to be emptied', 'truncate audit_entry'],
    ['to be emptied with something else', 'truncate transaction, audit_entry cascade'],
    ['a checkpoint to be changed', 'update audit_checkpoint set number = number + 1'],
    ['a checkpoint to be deleted', 'delete from audit_checkpoint'],
    ['its checkpoints to be emptied', 'truncate audit_checkpoint'],
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

describe('the chain of people', () => {
  test('finds a password, a role and a disabling that somebody has changed by hand, with and without the triggers', async () => {
    const { projectId } = actor.referenceOf('iv_1')
    const personId = await addPerson(projectId)
    expect(await verified(database)).toEqual([])
    await em().execute("update project_member set role = 'owner' where person_id = ?", [personId])
    const [last] = (await readLog(database, `project ${projectId}`)).slice(-1)
    expect(last).toMatchObject({ kind: 'project_member.row-changed', actor: expect.stringMatching(/^database:/) })
    expect(await verified(database)).toEqual([])
    const withoutTriggers = (change: string) =>
      em().transactional(async (inner) => {
        await inner.execute('set local session_replication_role = replica')
        await inner.execute(change)
      })
    for (const [change, undo, fault] of [
      [
        "person set password_hash = '$argon2id$other'",
        "person set password_hash = '$argon2id$'",
        'password_hash_digest',
      ],
      ['person set disabled_at = now()', 'person set disabled_at = null', 'disabled_at'],
      ["project_member set role = 'support'", "project_member set role = 'owner'", 'role'],
    ] as const) {
      await withoutTriggers(`update ${change}`)
      const told = await verified(database)
      await withoutTriggers(`update ${undo}`)
      expect(told).toContainEqual(expect.stringContaining(`the ${fault} of the `))
    }
    expect(await verified(database)).toEqual([])
  })
})

describe('the chain of a payment', () => {
  test('names the person of the dashboard who asked for an attempt, and the merchant where a server did', async () => {
    const invoiceId = await makeAuthorized()
    await actor.executeCommand(invoiceId, actor.build.capture(null, { personId: 'pers_ada' }))
    const attempts = (await chainOf(invoiceId))
      .filter(({ kind }) => kind === 'operation.created')
      .map((entry) => ({ ...entry, facts: JSON.parse(entry.facts) }))
      .filter(({ facts }) => facts.is_attempt)
    expect(attempts.map(({ actor: who, facts }) => [facts.type, who, facts.actor, facts.person_id])).toEqual([
      ['authorization', 'merchant', 'merchant', undefined],
      ['capture', 'person:pers_ada', 'merchant', 'pers_ada'],
    ])
    expect(await verified(database)).toEqual([])
  })

  test('tells of no card and no person', async () => {
    const planted = ['4242424242424242', 'Ada Lovelace', 'ada@example.com', 'Analytical Way', 'who-is-ada']
    const invoiceId = await actor.makeInvoice()
    const card = await actor.makeCard('4242424242424242', 'Ada Lovelace')
    await em().nativeUpdate(
      CardEntity,
      { id: card },
      { address1: 'Analytical Way', metadata: { email: 'ada@example.com' } },
    )
    await actor.executeCommand(invoiceId, actor.build.authorize(card))
    await actor.executeCommand(invoiceId, actor.build.capture())
    await actor.executeCommand(invoiceId, actor.build.refund(100))
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
      '{"email":"ada@example.com"}',
      'failed',
      id,
    ])
    await em().nativeUpdate(
      OperationEntity,
      { transactionId: id },
      { errorMessage: 'Ada Lovelace', gatewayCode: 'ada@example.com', hasFailed: true },
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
      actor.executeCommand(invoiceId, actor.build.capture(100 + index, { captureType: 'non-final' })),
    )
    const [operation] = await em().find(OperationEntity, { transactionId: id, isAttempt: false, type: 'authorization' })
    const marks = Array.from({ length: 8 }, async (_, index) => {
      await em().nativeUpdate(TransactionEntity, { invoiceId }, { needsAttention: index % 2 === 0 })
      // A row of the payment that nobody holds the payment for.
      await em().execute(
        `insert into operation (id, project_id, sandbox, transaction_id, type, is_attempt, has_failed, is_accountable,
           amount_minor, currency, actor, created_at)
         select id || ?, project_id, sandbox, transaction_id, 'request', false, false, false, 0, currency, actor, now()
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
        await actor.executeCommand(invoiceId, actor.build.increment(600))
        await actor.executeCommand(invoiceId, actor.build.capture(1000, { captureType: 'non-final' }))
        await actor.executeCommand(invoiceId, actor.build.refund(300))
        await actor.executeCommand(invoiceId, actor.build.capture(500, { captureType: 'non-final' }))
        await actor.executeCommand(invoiceId, actor.build.refund(200))
        await actor.executeCommand(invoiceId, actor.build.void())
      },
      { authorizedMinor: 3500, capturedMinor: 1500, voidedMinor: 2000, refundedMinor: 500 },
    ],
    [
      'a void',
      (invoiceId) => actor.executeCommand(invoiceId, actor.build.void()),
      { authorizedMinor: 2900, voidedMinor: 2900 },
    ],
    [
      'the end of the authorization',
      async (invoiceId) => {
        const ends = (await transactionOf(invoiceId)).authorizationExpiresAt?.getTime() ?? 0
        await actor.executeCommand(invoiceId, actor.build.expiry(), { at: ends, asOf: ends })
      },
      { authorizedMinor: 2900, voidedMinor: 2900, expired: true },
    ],
    [
      'a capture that is charged back',
      async (invoiceId) => {
        await actor.executeCommand(invoiceId, actor.build.capture())
        const { gatewayConfigurationId } = await transactionOf(invoiceId)
        const money = { amountMinor: 2900, currency: 'EUR', reason: '10.4' }
        await storeNotifications(
          em(),
          { gatewayConfigurationId: gatewayConfigurationId ?? '', projectId: actor.projectId, sandbox: true },
          [disputeNotification('chargeback-created', { invoiceId, ...money })],
          new Date(),
        )
        const now = actor.deps.clock.now().getTime()
        await actor.activities.applyNotifications({ payment: actor.referenceOf(invoiceId), at: now })
      },
      { authorizedMinor: 2900, capturedMinor: 2900 },
    ],
  ])('holds every movement of a payment with %s, and ends with its row', async (_, pay, expected) => {
    const invoiceId = await makeAuthorized()
    await pay(invoiceId)
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
    const last = Object.assign(nothingIn('transaction'), ...facts.map((one) => lastOf(one))) as Record<string, unknown>
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
    await actor.executeCommand(invoiceId, actor.build.capture())
    await actor.executeCommand(invoiceId, actor.build.refund())
    await activateRules()
    await addPerson(actor.referenceOf(invoiceId).projectId)
    for (const table of Object.keys(AUDITED_TABLES) as AuditedTable[]) {
      const { values, instants, digests = [] }: Columns = AUDITED_TABLES[table]
      const [found] = await em().execute<{ columns: string[] }[]>(
        `select array(select jsonb_object_keys(audited_state(${table}))) as columns from ${table} limit 1`,
      )
      expect(found?.columns.toSorted()).toEqual(
        [...values, ...instants, ...digests.map((column) => `${column}_digest`)].toSorted(),
      )
    }
  })

  test.each(Object.keys(AUDITED_TABLES) as AuditedTable[])('knows every column of %s', async (table) => {
    const { values, instants, digests = [] }: Columns = AUDITED_TABLES[table]
    const rows = await em().execute<{ name: string; nullable: boolean }[]>(
      `select column_name as name, is_nullable = 'YES' as nullable
         from information_schema.columns where table_schema = 'public' and table_name = ?`,
      [table],
    )
    // Where null could be meant, the entry of a new row must say what is there.
    const unsaid = Object.keys(nothingIn(table))
    expect(rows.filter(({ name, nullable }) => nullable && unsaid.includes(name))).toEqual([])
    const left = rows.map(({ name }) => name).filter((name) => ![...values, ...instants, ...digests].includes(name))
    expect(left.toSorted()).toEqual(NOT_AUDITED[table])
  })
})

describe('settings that are changed by hand', () => {
  const KEY = 'key_by_hand'
  /** Of these tests only: its project is suspended by them, and its account switched off. */
  let owner: PaymentActor
  const settingsLog = async () =>
    (await readLog(database, `project ${owner.projectId}`)).filter(({ kind }) => kind.includes('.row-'))
  /** What a statement, as somebody types it, leaves in the chain of the project. */
  async function leftBy(statement: string, values: unknown[] = []) {
    const before = (await settingsLog()).length
    await em().execute(statement, values)
    return (await settingsLog()).slice(before).map(({ kind, actor: by, sandbox, facts }) => {
      return { kind, by: by.split(':')[0], sandbox, facts: JSON.parse(facts) }
    })
  }
  const ofKey = { by: 'database', sandbox: true }

  beforeAll(async () => {
    owner = await makePaymentActor(database)
    await em().execute(
      `insert into api_key (id, project_id, sandbox, secret_hash, name, permissions, revoked_at, created_at)
         values (?, ?, true, 'hash-of-the-secret', 'Ada Lovelace', '{read}', '2026-01-01Z', now())`,
      [KEY, owner.projectId],
    )
  })

  test.each([
    ['when a key was last used', 'update api_key set last_used_at = now()'],
    ['the name of a key', "update api_key set name = 'Grace'"],
    ['a key into itself', 'update api_key set revoked_at = revoked_at'],
    ['the name of a project', "update project set name = 'Shop 2'"],
    ['the name of an account', "update gateway_configuration set name = 'Account 2'"],
    [
      'what an account is encrypted with',
      "update gateway_configuration set credentials_key_id = 'n2' where credentials_key_id is not null",
    ],
  ])('leave no entry of %s', async (_, statement) => {
    expect(await leftBy(statement)).toEqual([])
  })

  test('are in the log: a key that is in use again', async () => {
    expect(await leftBy('update api_key set revoked_at = null where id = ?', [KEY])).toEqual([
      {
        kind: 'api_key.row-changed',
        ...ofKey,
        facts: { id: KEY, changes: { revoked_at: ['2026-01-01T00:00:00', null] } },
      },
    ])
  })

  test('are in the log: what a key may do, and that its secret is another one, without its hash and its name', async () => {
    const left = await leftBy(
      "update api_key set permissions = '{read,refunds}', secret_hash = 'other-hash' where id = ?",
      [KEY],
    )
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(left).toEqual([
      {
        kind: 'api_key.row-changed',
        ...ofKey,
        facts: {
          id: KEY,
          changes: { permissions: [['read'], ['read', 'refunds']], secret_hash_digest: [digest, digest] },
        },
      },
    ])
    const log = JSON.stringify(await readLog(database))
    for (const text of ['hash-of-the-secret', 'other-hash', 'Lovelace']) expect(log).not.toContain(text)
  })

  test('are in the log of both projects: a key that goes from one to the other, and back', async () => {
    const other = await makePaymentActor(database)
    const move = (to: string) => leftBy('update api_key set project_id = ? where id = ?', [to, KEY])
    expect(await move(other.projectId)).toMatchObject([{ kind: 'api_key.row-deleted', facts: { id: KEY } }])
    expect((await readLog(database, `project ${other.projectId}`)).at(-1)).toMatchObject({
      kind: 'api_key.row-created',
      projectId: other.projectId,
    })
    expect(await verified(database)).toEqual([])
    expect(await move(owner.projectId)).toMatchObject([{ kind: 'api_key.row-created', facts: { id: KEY } }])
    expect(await leftBy('update api_key set sandbox = false where id = ?', [KEY])).toMatchObject([
      { kind: 'api_key.row-deleted', sandbox: true },
      { kind: 'api_key.row-created', sandbox: false },
    ])
    expect(await verified(database)).toEqual([])
  })

  // One for each kind of column; that no column is left out, the lists of columns above prove.
  test.each([
    ['project', 'sandbox_limit = 9', { sandbox_limit: [3000, 9] }, null],
    ['project', "suspended_at = '2026-01-01Z'", { suspended_at: [null, '2026-01-01T00:00:00'] }, null],
    ['project', 'allows_client_captures = true', { allows_client_captures: [false, true] }, null],
    ['project', "page_origins = '{https://a.example}'", { page_origins: [[], ['https://a.example']] }, null],
    ['gateway_configuration', 'enabled = false', { enabled: [true, false] }, true],
    [
      'gateway_configuration',
      `settings = '{"delay_ms":"5"}', metadata = '{"a":"b"}'`,
      { settings: [{}, { delay_ms: '5' }] },
      true,
    ],
    [
      'gateway_configuration',
      `credentials_ciphertext = 'x', credentials_key_id = 'n1', credentials_hash = repeat('c', 64)`,
      { credentials_hash_digest: [null, createHash('sha256').update('c'.repeat(64)).digest('hex')] },
      true,
    ],
    [
      'gateway_configuration',
      "deleted_at = '2026-01-01Z', enabled = false",
      { deleted_at: [null, '2026-01-01T00:00:00'] },
      true,
    ],
  ])('are in the log: of a %s, %s', async (table, change, changes, sandbox) => {
    const own = table === 'project' ? 'id' : 'project_id'
    const left = await leftBy(`update ${table} set ${change} where ${own} = ?`, [owner.projectId])
    const id = expect.any(String)
    expect(left).toEqual([{ kind: `${table}.row-changed`, by: 'database', sandbox, facts: { id, changes } }])
    expect(await verified(database)).toEqual([])
  })

  test('are in the log: a key that is deleted', async () => {
    expect(await leftBy('delete from api_key where id = ?', [KEY])).toMatchObject([{ kind: 'api_key.row-deleted' }])
    expect(await verified(database)).toEqual([])
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
