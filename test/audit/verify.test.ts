import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { checkpointHash } from '../../src/audit/checkpoint.ts'
import { type AuditEntry, ENTRY_COLUMNS, hashOf } from '../../src/audit/entry.ts'
import { writeCheckpoints } from '../../src/audit/write-checkpoints.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { recordAct } from '../../src/persistence/queries/audit/record-act.ts'
import { createVault } from '../../src/vault/vault.ts'
import { readLog, verification, verified } from '../support/audit-log.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { makePaymentActor, type PaymentActor } from '../support/payment-actor.ts'
import { databaseForFile } from '../support/payment-for-file.ts'

/** What somebody could change who writes to the database; each has a copy to go back to. */
const TABLES = [
  'audit_entry',
  'audit_waiting',
  'audit_checkpoint',
  'invoice',
  'transaction',
  'operation',
  'refund',
  'project',
  'api_key',
  'gateway_configuration',
] as const

const database = databaseForFile()
let actor: PaymentActor
/** The chain of a payment whose entries are all in checkpoints, and of one whose entries all wait. */
let covered: string
let waiting: string

beforeAll(async () => {
  actor = await makePaymentActor(database)
  covered = await pay(actor)
  await em().transactional((inner) =>
    recordAct(inner, { projectId: null, sandbox: null, kind: 'test.done', actor: 'operator:ada', facts: {} }),
  )
  await writeCheckpoints(actor.deps)
  await actor.executeCommand(await invoiceOf(covered), actor.build.refund(100))
  await writeCheckpoints(actor.deps)
  waiting = await pay(actor)
  for (const table of TABLES) await em().execute(`create table kept_${table} as table ${table}`)
})
afterEach(() =>
  tamper(async (inner) => {
    for (const table of TABLES) {
      await inner.execute(`delete from ${table}`)
      const columns = await inner.execute<{ name: string }[]>(
        `select string_agg(quote_ident(column_name), ', ') as name from information_schema.columns
          where table_schema = 'public' and table_name = ?`,
        [table],
      )
      const names = columns[0]?.name ?? ''
      await inner.execute(`insert into ${table} (${names}) overriding system value select ${names} from kept_${table}`)
    }
  }),
)

const em = () => database.orm.em.fork()

async function pay({ makeInvoice, makeSource, build, executeCommand }: PaymentActor): Promise<string> {
  const invoiceId = await makeInvoice()
  await executeCommand(invoiceId, build.authorize(await makeSource()))
  await executeCommand(invoiceId, build.capture())
  await executeCommand(invoiceId, build.refund(100))
  const [row] = await em().execute<{ id: string }[]>('select id from transaction where invoice_id = ?', [invoiceId])
  return row?.id ?? ''
}

async function invoiceOf(transactionId: string): Promise<string> {
  const [row] = await em().execute<{ id: string }[]>('select invoice_id as id from transaction where id = ?', [
    transactionId,
  ])
  return row?.id ?? ''
}

/** Changes rows as somebody can who owns the tables: with all triggers and constraints between tables switched off. */
function tamper(change: (inner: EntityManager) => Promise<unknown>): Promise<unknown> {
  return em().transactional(async (inner) => {
    await inner.execute('set local session_replication_role = replica')
    await change(inner)
  })
}

const tamperWith = (statement: string, values: unknown[] = []) => tamper((inner) => inner.execute(statement, values))

test('a log that nobody has touched holds', async () => {
  const { told, ...found } = await verification(database)
  expect(told).toEqual([])
  const [counts] = await em().execute<Record<string, number>[]>(
    `select (select count(*)::integer from audit_entry) as entries,
            (select count(distinct chain)::integer from audit_entry) as chains,
            (select count(*)::integer from audit_checkpoint) as checkpoints,
            (select count(*)::integer from audit_waiting) as waiting,
            (select count(*) from transaction)::integer + (select count(*) from operation)::integer
              + (select count(*) from refund)::integer + (select count(*) from project)::integer
              + (select count(*) from api_key)::integer + (select count(*) from gateway_configuration)::integer as rows`,
  )
  expect(found).toMatchObject({ ...counts, faults: 0 })
  expect(counts).toMatchObject({ checkpoints: 3 })
  expect(counts?.waiting).toBeGreaterThan(10)
  expect(found.newest.map(({ projectId, number }) => [projectId, number])).toEqual([
    [null, 1],
    [actor.projectId, 2],
  ])
})

const LAST = '(select max(position) from audit_entry where chain = CHAIN)'

/** `CHAIN` stands for the id of the payment and of its chain. */
describe.each(['covered', 'waiting'] as const)('in a %s chain, the verification finds', (kind) => {
  const chain = () => (kind === 'covered' ? covered : waiting)
  const tamperInChain = (statements: readonly string[]) =>
    tamper(async (inner) => {
      for (const statement of statements) await inner.execute(statement.replaceAll('CHAIN', `'${chain()}'`))
    })

  test.each([
    ['number', 'number = number + 100000'],
    ['chain', "chain = chain || 'x'"],
    ['position', 'position = position + 100000'],
    ['project', "project_id = 'proj_other'"],
    ['project, of none', 'project_id = null'],
    ['environment', 'sandbox = false'],
    ['environment, of both', 'sandbox = null'],
    ['kind', "kind = 'operation.created '"],
    ['actor', "actor = 'staff'"],
    ['facts', "facts = replace(facts, '2900', '2800')"],
    ['facts, of which only the text', "facts = facts || ' '"],
    ['facts, that are no JSON', "facts = '{'"],
    ['time', "occurred_at = '2026-01-01T00:00:00.000000Z'"],
    ['hash before it', "previous_hash = sha256('x')"],
    ['hash', "hash = sha256('x')"],
  ])('a changed %s', async (_, change) => {
    await tamperInChain([`update audit_entry set ${change} where chain = CHAIN and position = 2`])
    expect(await verified(database)).not.toEqual([])
  })

  test.each([
    ['the deletion of the first entry', ['delete from audit_entry where chain = CHAIN and position = 1']],
    ['the deletion of the second entry', ['delete from audit_entry where chain = CHAIN and position = 2']],
    ['the deletion of the last entry', [`delete from audit_entry where chain = CHAIN and position = ${LAST}`]],
    [
      'the deletion of the last entry, where what it tells of is undone as well',
      [
        `delete from audit_entry where chain = CHAIN and position = ${LAST}`,
        "update transaction set status = 'completed', refunded_minor = 0 where id = CHAIN",
      ],
    ],
    [
      'the deletion of the whole chain and of everything that it is about',
      [
        'delete from audit_entry where chain = CHAIN',
        'delete from refund where transaction_id = CHAIN',
        'delete from operation where transaction_id = CHAIN',
        'delete from transaction where id = CHAIN',
      ],
    ],
    [
      'two entries that have changed their places',
      [
        'update audit_entry set position = 100000 where chain = CHAIN and position = 2',
        'update audit_entry set position = 2 where chain = CHAIN and position = 3',
        'update audit_entry set position = 3 where chain = CHAIN and position = 100000',
      ],
    ],
  ])('%s', async (_, statements) => {
    await tamperInChain(statements)
    expect(await verified(database)).not.toEqual([])
  })

  test('the deletion of the whole chain', async () => {
    await tamperInChain(['delete from audit_entry where chain = CHAIN'])
    expect(await verified(database)).toContain(`${chain()}: the transaction has no chain`)
  })

  test.each([
    [
      'an amount',
      'update transaction set refunded_minor = 0 where id = CHAIN',
      'the refunded_minor of the transaction',
    ],
    ['a status', "update transaction set status = 'completed' where id = CHAIN", 'the status of the transaction'],
    ['a time', 'update transaction set captured_at = now() where id = CHAIN', 'the captured_at of the transaction'],
    [
      'the amount of a step',
      "update operation set amount_minor = 1 where transaction_id = CHAIN and type = 'capture'",
      'the amount_minor of the operation',
    ],
    [
      'the amount of a refund',
      'update refund set amount_minor = 1 where transaction_id = CHAIN',
      'the amount_minor of the refund',
    ],
    ['the deletion of a refund', 'delete from refund where transaction_id = CHAIN', 'is in the log and not in the'],
    ['the deletion of the payment', 'delete from transaction where id = CHAIN', 'is in the log and not in the record'],
    [
      'a refund that was put in',
      `insert into refund
         select id || 'x', project_id, sandbox, transaction_id, operation_id || 'x', 1, currency, reason, information, metadata,
                detail_ids, status, error_code, failed_at, created_at, updated_at
           from refund where transaction_id = CHAIN`,
      'is in the record and not in the log',
    ],
  ])('%s, changed with the triggers switched off', async (_, statement, fault) => {
    await tamperInChain([statement])
    expect((await verified(database)).join('\n')).toContain(fault)
  })
})

describe('with the triggers switched off, the verification finds', () => {
  const move = async (inner: EntityManager) => {
    for (const [table, own] of [
      ['invoice', '(select transaction.id from transaction where invoice_id = invoice.id)'],
      ['transaction', 'id'],
      ['operation', 'transaction_id'],
      ['refund', 'transaction_id'],
    ])
      await inner.execute(`update ${table} set project_id = 'proj_thief' where ${own} = ?`, [covered])
  }

  test('a payment that was moved to another project with everything of it, from either of the two', async () => {
    await tamper(move)
    const fault = `${covered}: the project_id of the transaction ${covered} is "proj_thief", and the log ends with "${actor.projectId}"`
    const elsewhere = `${covered}: the transaction is of another project or environment than its chain`
    const told = await verified(database)
    expect(told).toEqual(expect.arrayContaining([fault, elsewhere]))
    expect(told.join('\n')).toMatch(/the project_id of the operation/)
    expect(told.join('\n')).toMatch(/the project_id of the refund/)
    expect(await verified(database, { projectId: actor.projectId })).toContain(fault)
    expect(await verified(database, { projectId: 'proj_thief' })).toEqual([elsewhere])
  })

  test.each([
    ['transaction', 'id', ['customer_id', 'card_id', 'token_id', 'gateway_name', 'project_id']],
    ['transaction', 'id', ['scheme_id', 'initial_scheme_transaction_id', 'scheme_used']],
    ['operation', 'transaction_id', ['card_id', 'token_id', 'project_id']],
    ['refund', 'transaction_id', ['project_id']],
  ])('each column of a %s by which it belongs to somebody (%s, %j)', async (table, own, columns) => {
    for (const column of columns) {
      await tamperWith(`update ${table} set ${column} = 'other' where ${own} = ?`, [covered])
      expect((await verified(database)).join('\n')).toContain(`the ${column} of the ${table} `)
    }
  })

  test.each([
    ['transaction', 'id'],
    ['operation', 'transaction_id'],
    ['refund', 'transaction_id'],
  ])('the environment of a %s', async (table, own) => {
    await tamperWith(`update ${table} set sandbox = false where ${own} = ?`, [covered])
    expect((await verified(database)).join('\n')).toContain(`the sandbox of the ${table} `)
  })

  test.each([
    ['a key that is in use again', "update api_key set revoked_at = '2026-01-01'", 'the revoked_at of the api_key'],
    ['a key that may do more', "update api_key set permissions = '{read}'", 'the permissions of the api_key'],
    ['a key with another secret', "update api_key set secret_hash = 'x'", 'the secret_hash_digest of the api_key'],
    ['a key of another environment', 'update api_key set sandbox = false', 'the sandbox of the api_key'],
    ['a key of another project', "update api_key set project_id = 'proj_x'", 'is in the log and not in the record'],
    [
      'a key of a project that is none',
      "update api_key set project_id = 'proj_x'",
      'project proj_x: the settings have no',
    ],
    ['a key that is gone', 'delete from api_key', 'is in the log and not in the record'],
    [
      'a key that was put in',
      `insert into api_key (id, project_id, sandbox, secret_hash, created_at)
         select 'key_x', project_id, sandbox, 'x', created_at from api_key limit 1`,
      'the api_key key_x is in the record and not in the log',
    ],
    ['a limit', 'update project set sandbox_limit = 600000', 'the sandbox_limit of the project'],
    ['what clients may do', 'update project set allows_client_captures = true', 'the allows_client_captures of the'],
    ['a suspension', 'update project set suspended_at = now()', 'the suspended_at of the project'],
    ['a project that is gone', 'delete from project', 'is in the log and not in the record'],
    [
      'a project that was put in',
      `insert into project (id, name, created_at) values ('proj_x', 'x', now())`,
      'project proj_x: the settings have no chain',
    ],
    ['an account that is off', 'update gateway_configuration set enabled = false', 'the enabled of the gateway_conf'],
    ['an account that drains', 'update gateway_configuration set draining_since = now()', 'the draining_since of the'],
    ['another gateway', "update gateway_configuration set gateway_name = 'x'", 'the gateway_name of the gateway_conf'],
  ])('%s', async (_, statement, fault) => {
    await tamperWith(statement)
    expect((await verified(database)).join('\n')).toContain(fault)
  })

  test('what was set right with the triggers on, since the log never had what it was set right from', async () => {
    const set = 'update transaction set refunded_minor = refunded_minor'
    await tamperWith(`${set} - 50 where id = ?`, [covered])
    await em().execute(`${set} + 50 where id = ?`, [covered])
    expect(await verified(database)).toEqual([expect.stringContaining('changes the refunded_minor of the transaction')])
  })

  test.each(['project', 'api_key', 'gateway_configuration'])(
    'settings whose whole chain is gone, of which a row of %s is left',
    async (left) => {
      const { projectId } = actor
      await tamper(async (inner) => {
        await inner.execute('delete from audit_entry where chain = ?', [`project ${projectId}`])
        for (const table of ['project', 'api_key', 'gateway_configuration'])
          if (table !== left) await inner.execute(`delete from ${table}`)
      })
      expect(await verified(database)).toContain(`project ${projectId}: the settings have no chain`)
    },
  )

  test.each([
    ['project', { project_id: 'proj_thief' }],
    ['environment', { sandbox: false }],
  ])('an entry that is of another %s than the row that it tells of', async (_, changes) => {
    await retell("kind = 'api_key.row-created'", ({ facts }) => ({
      facts: JSON.stringify({ ...JSON.parse(facts), ...changes }),
    }))
    expect((await verified(database)).join('\n')).toMatch(/is not of the project and environment that it tells of/)
  })

  test.each([
    ['project', { projectId: 'proj_thief' }],
    ['environment', { sandbox: false }],
  ])('an entry that is of another %s than the others of its payment', async (_, changes) => {
    await retell("kind = 'refund.created'", () => changes)
    expect((await verified(database)).join('\n')).toMatch(/belongs to another project or environment than the entry/)
  })
})

test('a deletion of a row of a payment is found although the log tells of it', async () => {
  await em().execute('delete from refund where transaction_id = ?', [waiting])
  expect((await verified(database)).join('\n')).toMatch(/refund \S+ was deleted, and nothing of the record ever is/)
})

/** Changes what an entry says and computes its hash anew, as whoever lacks the key can. */
async function retell(which: string, changes: (entry: AuditEntry) => Partial<AuditEntry>): Promise<void> {
  await tamper(async (inner) => {
    const [entry] = await inner.execute<AuditEntry[]>(
      `select ${ENTRY_COLUMNS} from audit_entry entry where ${which} limit 1`,
    )
    if (entry === undefined) throw new Error(`No entry of the log has ${which}.`)
    const told = { ...entry, ...changes(entry) }
    await inner.execute(
      "update audit_entry set project_id = ?, sandbox = ?, facts = ?, hash = decode(?, 'hex') where number = ?",
      [told.projectId, told.sandbox, told.facts, hashOf(told), told.number],
    )
  })
}

/** On its own, and not where the digits of a random id come to it. */
const AMOUNT = /\b2900\b/g

/** Changes the facts of an entry and computes everything after it anew, as whoever lacks the key can. */
async function rewrite(inner: EntityManager, chain: string): Promise<AuditEntry[]> {
  const entries = await inner.execute<AuditEntry[]>(
    `select ${ENTRY_COLUMNS} from audit_entry entry where chain = ? order by position`,
    [chain],
  )
  let previousHash: string | null = null
  const rewritten: AuditEntry[] = []
  for (const entry of entries) {
    const changed: AuditEntry = { ...entry, previousHash, facts: entry.facts.replaceAll(AMOUNT, '1900') }
    const hash = hashOf(changed)
    await inner.execute(
      "update audit_entry set facts = ?, previous_hash = decode(?, 'hex'), hash = decode(?, 'hex') where number = ?",
      [changed.facts, previousHash, hash, entry.number],
    )
    rewritten.push({ ...changed, hash })
    previousHash = hash
  }
  // The books as well, so that the two agree.
  await inner.execute(
    'update transaction set amount_minor = 1900, authorized_minor = 1900, captured_minor = 1900 where id = ?',
    [chain],
  )
  await inner.execute('update operation set amount_minor = 1900 where amount_minor = 2900 and transaction_id = ?', [
    chain,
  ])
  return rewritten
}

describe('whoever writes to the database and lacks the key', () => {
  test('changes unseen only what no checkpoint covers yet', async () => {
    await tamper((inner) => rewrite(inner, waiting))
    expect(await verified(database)).toEqual([])
  })

  test('cannot compute one entry anew and leave the next one as it is', async () => {
    await retell(`chain = '${waiting}' and position = 2`, ({ facts }) => ({ facts: `${facts} ` }))
    expect(await verified(database)).toEqual([
      expect.stringMatching(/: entry 3 \(number \d+\) does not follow the entry before it$/),
    ])
  })

  test('cannot compute a chain that is in checkpoints anew', async () => {
    await tamper((inner) => rewrite(inner, covered))
    expect(await verified(database)).toEqual([
      expect.stringMatching(/^checkpoint 1 of project .* was not made with the key/),
      expect.stringMatching(/^checkpoint 2 of project .* was not made with the key/),
    ])
  })

  test.each([
    ['a hash of any text', () => createHash('sha256').update('x').digest('hex')],
    [
      'a key of their own',
      (checkpoint: Parameters<typeof checkpointHash>[1], hashes: readonly string[]) =>
        checkpointHash(createVault({ ...TEST_KEYS, fingerprint: randomBytes(32) }), checkpoint, hashes),
    ],
  ])('cannot forge a checkpoint with %s', async (_, hash) => {
    await tamper(async (inner) => {
      await rewrite(inner, covered)
      const { projectId } = actor
      await inner.execute('delete from audit_checkpoint where project_id = ?', [projectId])
      const own = (await readWithin(inner)).filter((entry) => entry.projectId === projectId)
      const entries = own.map(({ number }) => number)
      const checkpoint = { projectId, number: 1, previousHash: null, entries, madeAt: new Date().toISOString() }
      await inner.execute(
        `insert into audit_checkpoint (project_id, number, entries, made_at, hash) values (?, 1, ?::bigint[], ?, decode(?, 'hex'))`,
        [
          projectId,
          `{${entries.join()}}`,
          checkpoint.madeAt,
          hash(
            checkpoint,
            own.map((entry) => entry.hash),
          ),
        ],
      )
      await inner.execute('delete from audit_waiting')
    })
    expect(await verified(database)).toEqual([expect.stringMatching(/was not made with the key/)])
  })

  const readWithin = (inner: EntityManager) =>
    inner.execute<AuditEntry[]>(`select ${ENTRY_COLUMNS} from audit_entry entry order by entry.number`)

  test.each([
    ['change the number of a checkpoint', 'number = number + 1'],
    ['change the checkpoint before it', "previous_hash = sha256('x')"],
    ['take an entry out of a checkpoint', 'entries = entries[2:]'],
    ['order its entries otherwise', 'entries = array(select unnest(entries) order by 1 desc)'],
    ['name an entry in it twice', 'entries = entries || entries[1]'],
    ['change its time', "made_at = '2026-01-01T00:00:00.000Z'"],
    ['change its hash', "hash = sha256('x')"],
    ['change its project', "project_id = 'proj_other'"],
  ])('cannot %s', async (_, change) => {
    await tamperWith(`update audit_checkpoint set ${change} where number = 2`)
    expect(await verified(database)).not.toEqual([])
  })

  test.each([
    ['delete a checkpoint', 'delete from audit_checkpoint where number = 1 and project_id is not null', /./],
    [
      'keep an entry from its checkpoint',
      'delete from audit_waiting where number = (select min(number) from audit_waiting)',
      /^[^\n]*in no checkpoint and does not wait[^\n]*$/,
    ],
    [
      'have an entry in two checkpoints',
      'insert into audit_waiting select entries[1] from audit_checkpoint where number = 2',
      /^[^\n]*more than once[^\n]*$/,
    ],
  ])('cannot %s', async (_, statement, faults) => {
    await tamperWith(statement)
    expect((await verified(database)).join('\n')).toMatch(faults)
  })

  test('cannot put another checkpoint of the same key in the place of one, as of a database that was restored', async () => {
    await tamper(async (inner) => {
      const entries = (await readWithin(inner)).filter(({ projectId }) => projectId === actor.projectId).slice(0, 3)
      const numbers = entries.map(({ number }) => number)
      const madeAt = '2026-01-01T00:00:00.000Z'
      const first = { projectId: actor.projectId, number: 1, previousHash: null, entries: numbers, madeAt }
      const hash = checkpointHash(
        createVault(TEST_KEYS),
        first,
        entries.map((entry) => entry.hash),
      )
      await inner.execute(
        `update audit_checkpoint set entries = ?::bigint[], made_at = ?, hash = decode(?, 'hex')
          where number = 1 and project_id is not null`,
        [`{${numbers.join()}}`, madeAt, hash],
      )
      await inner.execute("update audit_checkpoint set previous_hash = decode(?, 'hex') where number = 2", [hash])
    })
    expect(await verified(database)).toContainEqual(
      expect.stringMatching(/^checkpoint 2 of project .* was not made with the key/),
    )
  })

  test('cannot have a checkpoint of the service vouch for a project, not even one of the same key', async () => {
    await tamper(async (inner) => {
      const [taken] = await inner.execute<{ entries: string[] }[]>(
        'select entries::text[] as entries from audit_checkpoint where number = 2',
      )
      const entries = taken?.entries ?? []
      const hashes = (await readWithin(inner)).flatMap(({ number, hash }) => (entries.includes(number) ? [hash] : []))
      const ofService = { projectId: null, number: 1, previousHash: null, entries, madeAt: '2026-01-01T00:00:00.000Z' }
      await inner.execute('delete from audit_checkpoint where project_id is null')
      await inner.execute(
        `update audit_checkpoint set project_id = null, number = 1, previous_hash = null, made_at = ?, hash = decode(?, 'hex')
          where number = 2`,
        [ofService.madeAt, checkpointHash(createVault(TEST_KEYS), ofService, hashes)],
      )
    })
    expect((await verified(database)).join('\n')).toMatch(/covers entry \d+, which says that it is of another project/)
  })

  test('cannot delete the newest checkpoint, and cannot hide it from who has its hash', async () => {
    const { newest } = await verification(database)
    const written = newest.at(-1)?.hash ?? ''
    expect(await verified(database, { expected: [written] })).toEqual([])
    await tamper(async (inner) => {
      await inner.execute('insert into audit_waiting select unnest(entries) from audit_checkpoint where number = 2')
      await inner.execute('delete from audit_checkpoint where number = 2')
    })
    expect(await verified(database)).toEqual([])
    expect(await verified(database, { expected: [written] })).toEqual([
      `the checkpoint ${written}, which was written down, is not there`,
    ])
  })
})

describe('the verification of one project', () => {
  test('leaves other projects alone, and finds what is wrong in its own', async () => {
    await tamperWith("update audit_entry set actor = 'staff' where chain = ? and position = 2", [covered])
    expect(await verified(database, { projectId: 'proj_other' })).toEqual([])
    expect(await verified(database, { projectId: actor.projectId })).toHaveLength(1)
  })

  test('finds an entry that is in a checkpoint, waits for one as well, and is gone', async () => {
    await tamper(async (inner) => {
      await inner.execute('insert into audit_waiting select entries[1] from audit_checkpoint where number = 2')
      await inner.execute(
        'delete from audit_entry where number = (select entries[1] from audit_checkpoint where number = 2)',
      )
    })
    const told = await verified(database, { projectId: actor.projectId })
    expect(told.join('\n')).toMatch(/is in a checkpoint, or waits for one, more than once/)
  })

  test('knows the entries and checkpoints of that project only', async () => {
    const found = await verification(database, { projectId: actor.projectId })
    const own = (await readLog(database)).filter(({ projectId }) => projectId === actor.projectId)
    expect(found).toMatchObject({ told: [], entries: own.length, checkpoints: 2 })
  })
})
