import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { writeCheckpoints } from '../../src/audit/write-checkpoints.ts'
import { createKeysFile, readKeysFile } from '../../src/keys/keys-file.ts'
import type { Keys } from '../../src/vault/keys.ts'
import { createVault } from '../../src/vault/vault.ts'
import { makePaymentActor, type PaymentActor } from '../support/payment-actor.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { type Ended, runHere } from './stage.ts'

let folder: string
const database = databaseForFile()
let actor: PaymentActor

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-audit-'))
  await createKeysFile(folder)
  const vault = createVault((await readKeysFile(folder)) as Keys)
  actor = await makePaymentActor(database)
  const invoiceId = await actor.makeInvoice()
  await actor.executeCommand(invoiceId, actor.build.authorize(await actor.makeSource()))
  await writeCheckpoints({ ...actor.deps, vault })
  await actor.executeCommand(invoiceId, actor.build.capture())
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** The process of an operator has the keys in the folder of the service. */
function verify(...args: string[]): Promise<Ended> {
  Object.assign(process.env, { DATA_DIR: folder, DATABASE_URL: database.url })
  return runHere('audit', 'verify', ...args)
}

/** The last line of `--json`. */
const summaryIn = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '')

describe('npm run admin -- audit verify', () => {
  test('ends with 1, and each fault on a line, where the books were changed behind the log', async () => {
    const set = (amount: string) =>
      database.orm.em.fork().transactional(async (em) => {
        await em.execute('set local session_replication_role = replica')
        await em.execute(`update transaction set captured_minor = ${amount}`)
      })
    await set('captured_minor - 900')
    const { code, stdout, stderr } = await verify()
    const asJson = await verify(`test-${actor.projectId}`, '--json')
    await set('captured_minor + 900')
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^tr_\w+: the captured_minor of the transaction tr_\w+ is 2000, and the log ends with 2900\n/,
    )
    expect(stderr).toBe('The audit log does not hold: 1 fault.\n')
    expect(asJson.code).toBe(1)
    expect(JSON.parse(asJson.stdout.split('\n')[0] ?? '')).toEqual({ fault: stdout.split('\n')[0] })
    expect(summaryIn(asJson.stdout)).toMatchObject({ faults: 1 })
  })

  test('ends with 1 for a project that nobody knows, and not for one of which only the log is left', async () => {
    await database.orm.em
      .fork()
      .execute("select record_audit_act('proj_gone', null, 'test.done', 'operator:ada', '{}')")
    const [unknown, { code, stdout }] = await Promise.all([verify('test-proj_nope'), verify('proj_gone')])
    expect(unknown).toEqual({ code: 1, stdout: '', stderr: 'There is no project proj_nope.\n' })
    expect(stdout).toMatch(/^Verified 1 entry in 1 chain against 0 rows/)
    expect(code).toBe(0)
  })

  test('ends with 1 where a checkpoint that was written down is not there', async () => {
    const hash = '0'.repeat(64)
    const { code, stdout } = await verify('--checkpoint', hash)
    expect(code).toBe(1)
    expect(stdout).toContain(`the checkpoint ${hash}, which was written down, is not there\n`)
  })

  test('ends with 1 under the keys of another service', async () => {
    const other = await mkdtemp(join(tmpdir(), 'holdfast-audit-'))
    const own = folder
    await createKeysFile(other)
    folder = other
    const { code, stdout } = await verify()
    folder = own
    await rm(other, { recursive: true, force: true })
    expect(code).toBe(1)
    expect(stdout).toContain('was not made with the key of this service')
  })

  test('ends with 0 and says what it has verified, what waits and the newest checkpoints', async () => {
    const { code, stdout } = await verify()
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^Verified \d+ entries in 3 chains against \d+ rows of the record, and 1 checkpoint, in \d+\.\d s\. \d+ entries wait for the next checkpoint\.\n/,
    )
    const { code: alsoGood, stdout: json } = await verify(actor.projectId, '--json')
    const { newest_checkpoints: checkpoints } = summaryIn(json)
    expect(checkpoints).toEqual([
      {
        project_id: actor.projectId,
        number: 1,
        made_at: expect.any(String),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
    expect(stdout).toContain(checkpoints[0].hash)
    expect(alsoGood).toBe(0)
    expect((await verify('--checkpoint', checkpoints[0].hash.toUpperCase())).code).toBe(0)
  })
})
