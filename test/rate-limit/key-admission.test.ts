import { beforeEach, describe, expect, test } from '@jest/globals'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { createOrm } from '../../src/persistence/orm.ts'
import { type AdmittedReading, readAdmitted } from '../../src/persistence/queries/lists/list-entity.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { type AdmitKey, createKeyAdmission, type KeyQuestion } from '../../src/rate-limit/key-admission.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seededRandomBytes } from '../support/random.ts'
import { readBucket } from './bucket.ts'

const LIMIT = 40

const database = databaseForFile()
let admitKey: AdmitKey
let question: KeyQuestion
let projects = 0

beforeEach(async () => {
  admitKey = createKeyAdmission(database.orm)
  question = await makeKey()
})

async function makeKey(): Promise<KeyQuestion> {
  projects += 1
  const secretHash = `the hash of secret ${projects}`
  const { projectId } = await createProject(em(), {
    name: 'Shop',
    sandbox: true,
    randomBytes: seededRandomBytes(`${database.name} ${projects}`),
    hashSecret: () => secretHash,
    now: new Date(),
    limits: { sandboxLimit: LIMIT },
  })
  return { projectId, secretHash, meansSandbox: false, isSecondary: false }
}

const em = () => database.orm.em.fork()

/** Sleeps for two seconds before it admits a request that reads `slow`, and fails for one that reads `wrong`. */
const TRYING: AdmittedReading['statement'] = `
    with given as materialized (
      select count(*)::integer as asked, sum(1 / (id <> 'wrong')::integer) as ok,
             count(case when id = 'slow' then pg_sleep(2) end) as slept
        from unnest($5::text[]) as id
    )
    select row_to_json(admitted) as key from given, lateral admit_requests($1, $2, $3, $4, given.asked) admitted`

describe('requests of one key that come at once', () => {
  test('are never admitted beyond the limit, and each is told what is left after it', async () => {
    const admissions = await Promise.all(Array.from({ length: 100 }, () => admitKey(question)))
    const usages = admissions.map((admission) => admission?.usage)
    const admitted = usages.filter((usage) => usage?.isAllowed)
    // A second and a half refills one.
    expect(admitted.length).toBeLessThan(LIMIT + 3)
    const left = admitted.slice(0, LIMIT).map((usage) => Number(usage?.remaining))
    // Statements that follow one another closely may reach the bucket in another order.
    expect(left.toSorted((one, other) => other - one)).toEqual(Array.from({ length: LIMIT }, (_, n) => LIMIT - 1 - n))
    for (const usage of usages.slice(-10)) expect(usage).toMatchObject({ isAllowed: false, remaining: 0 })
  })

  test('share their statements to the database', async () => {
    const pool = await database.orm.driver.getConnection().getNativeClient()
    let statements = 0
    const count = () => {
      statements += 1
    }
    pool.on('acquire', count)
    await Promise.all(Array.from({ length: 60 }, () => admitKey(question)))
    pool.off('acquire', count)
    // One for the first, and one for every 32 of the others.
    expect(statements).toBe(3)
  })

  test('are all refused where the key is wrong, and nothing is taken', async () => {
    const wrong = { ...question, secretHash: 'another hash' }
    expect(await Promise.all([wrong, wrong, wrong].map((asked) => admitKey(asked)))).toEqual([null, null, null])
    expect(await readBucket(em(), question.projectId, 'sandbox')).toBeNull()
  })

  test('are told apart from those of another key, or with another question', async () => {
    const other = await makeKey()
    const misled = { ...question, projectId: other.projectId }
    const asked = [question, other, misled, question, { ...question, meansSandbox: true }]
    const admissions = await Promise.all(asked.map((one) => admitKey(one)))
    expect(admissions.map((admission) => admission?.projectId)).toEqual([
      question.projectId,
      other.projectId,
      undefined,
      question.projectId,
      question.projectId,
    ])
  })

  test('and of which some mean the sandbox do not admit a live key for it', async () => {
    const live = await makeKey()
    await em().execute('update api_key set sandbox = false where secret_hash = ?', [live.secretHash])
    const means = (meansSandbox: boolean) => ({ ...live, meansSandbox })
    // The first is under way alone; the others wait, and share what comes after it, whichever of them began.
    for (const first of [true, false]) {
      const asked = [means(first), ...Array.from({ length: 20 }, (_, index) => means(index % 2 === 0))]
      const admissions = await Promise.all(asked.map((one) => admitKey(one)))
      expect(admissions.map((admission) => admission?.environment ?? null)).toEqual(
        asked.map(({ meansSandbox }) => (meansSandbox ? null : 'live')),
      )
    }
  })

  test('and of which some count towards the secondary limit each take from their own bucket', async () => {
    const live = await makeKey()
    await em().execute('update api_key set sandbox = false where secret_hash = ?', [live.secretHash])
    for (const first of [true, false]) {
      const asked = [first, true, false, true, false].map((isSecondary) => ({ ...live, isSecondary }))
      const admissions = await Promise.all(asked.map((one) => admitKey(one)))
      expect(admissions.map((admission) => admission?.usage.kind)).toEqual(
        asked.map(({ isSecondary }) => (isSecondary ? 'secondary' : 'primary')),
      )
    }
  })

  test('each read their own row, and none of another project', async () => {
    const other = await makeKey()
    const rows = await em().execute<{ id: string; project_id: string }[]>(
      'select id, project_id from gateway_configuration',
    )
    const idOf = ({ projectId }: KeyQuestion) => String(rows.find((row) => row.project_id === projectId)?.id)
    const statement = readAdmitted(database.orm, { entity: GatewayConfigurationEntity })
    const ids = [idOf(question), idOf(other), 'gway_conf_none', idOf(question), idOf(other)]
    const admissions = await Promise.all(ids.map((id) => admitKey(question, { statement, id })))
    expect(admissions.map((admission) => admission?.found?.row.id)).toEqual([
      idOf(question),
      undefined,
      undefined,
      idOf(question),
      undefined,
    ])
  })

  test('read nothing where the bucket is empty', async () => {
    const [row] = await em().execute<{ id: string }[]>('select id from gateway_configuration where project_id = ?', [
      question.projectId,
    ])
    const reading = {
      statement: readAdmitted(database.orm, { entity: GatewayConfigurationEntity }),
      id: String(row?.id),
    }
    const admissions = await Promise.all(Array.from({ length: LIMIT + 20 }, () => admitKey(question, reading)))
    expect(admissions.filter((admission) => !admission?.usage.isAllowed).length).toBeGreaterThan(10)
    for (const admission of admissions) expect(admission?.found !== null).toBe(admission?.usage.isAllowed)
  })
})

test('two processes that share a bucket admit together no more than it holds', async () => {
  const orms = await Promise.all([1, 2].map(() => createOrm({ databaseUrl: database.url, poolMax: 4 })))
  const startedAt = performance.now()
  const asked = orms.map(createKeyAdmission).flatMap((admit) => Array.from({ length: 60 }, () => admit(question)))
  const admitted = (await Promise.all(asked)).filter((admission) => admission?.usage.isAllowed).length
  const seconds = (performance.now() - startedAt) / 1000
  await Promise.all(orms.map((orm) => orm.close(true)))
  expect(admitted).toBeGreaterThanOrEqual(LIMIT)
  expect(admitted).toBeLessThanOrEqual(LIMIT + (LIMIT * seconds) / 60 + 1)
})

describe('a key that is revoked', () => {
  test('admits nothing any more, however much of it is under way', async () => {
    let isOver = false
    const others = Array.from({ length: 4 }, async () => {
      while (!isOver) await admitKey(question)
    })
    expect(await admitKey(question)).not.toBeNull()
    await em().execute('update api_key set revoked_at = now() where secret_hash = ?', [question.secretHash])
    const after = await Promise.all(Array.from({ length: 5 }, () => admitKey(question)))
    isOver = true
    await Promise.all(others)
    expect(after).toEqual([null, null, null, null, null])
  })
})

describe('a statement', () => {
  test('is planned once for a connection, and not for each request', async () => {
    const orm = await createOrm({ databaseUrl: database.url, poolMax: 1 })
    const admit = createKeyAdmission(orm)
    const reading = {
      statement: readAdmitted(orm, { entity: GatewayConfigurationEntity }),
      id: 'gway_conf_none',
    }
    for (let n = 0; n < 12; n += 1) {
      await Promise.all([admit(question), admit(question, reading)])
    }
    const plans = await orm.em
      .fork()
      .execute(
        `select custom_plans::integer, generic_plans::integer from pg_prepared_statements where statement like '%admit_requests%'`,
      )
    await orm.close(true)
    // PostgreSQL tries five times what a plan for the very values would bring.
    expect(plans).toEqual(Array(2).fill({ custom_plans: 5, generic_plans: 7 }))
  })

  const tryOut = (id: string) => admitKey(question, { statement: TRYING, id })

  test('that hangs holds up nobody who comes after it', async () => {
    const ended: string[] = []
    const noting = async (id: string) => {
      expect(await tryOut(id)).not.toBeNull()
      ended.push(id)
    }
    const slow = noting('slow')
    await Promise.all([noting('one'), noting('other')])
    await noting('later')
    expect(ended).toEqual(['one', 'other', 'later'])
    await slow
  })
})
