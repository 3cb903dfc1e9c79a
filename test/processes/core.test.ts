import { beforeAll, describe, expect, test } from '@jest/globals'
import { checkKeysOf } from '../../src/keys/key-check.ts'
import { openApart } from '../../src/processes/apart.ts'
import { openCore } from '../../src/processes/core.ts'
import { explain } from '../../src/processes/run-process.ts'
import { keyVariables } from '../admin/stage.ts'
import { captureLog } from '../support/captured-log.ts'
import { createTestShutdown, type TestShutdown } from '../support/core.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { server } from '../support/servers.ts'
import { quietRuntime } from '../support/temporal.ts'

const database = databaseForFile()
let servers: { databaseUrl: string; temporalAddress: string }

beforeAll(async () => {
  quietRuntime()
  servers = { databaseUrl: database.url, temporalAddress: (await server('temporal')).address }
})

/** What the person at the terminal reads where a process does not start. */
async function refusal(start: (shutdown: TestShutdown) => Promise<unknown>): Promise<string> {
  const shutdown = createTestShutdown()
  try {
    await start(shutdown)
    return ''
  } catch (error) {
    return explain(error)
  } finally {
    await shutdown.stop()
  }
}

describe('a process says in one sentence', () => {
  test.each([
    [{ databaseUrl: 'postgresql://u:hunter2@127.0.0.1:1/x' }, /^PostgreSQL does not answer on 127\.0\.0\.1:1: [^\n]*$/],
    [{ temporalAddress: '127.0.0.1:1' }, /^Temporal does not answer on 127\.0\.0\.1:1: [^\n]*$/],
  ])('that nothing answers at %j, without the password', async (address, sentence) => {
    const said = await refusal((shutdown) =>
      openCore({
        ...servers,
        ...address,
        keys: TEST_KEYS,
        encryptsPayloads: false,
        logger: captureLog().logger,
        shutdown,
      }),
    )
    expect(said).toMatch(sentence)
    expect(said).not.toContain('hunter2')
  })

  test('that its keys are those of another database, and changes nothing there', async () => {
    await checkKeysOf(database.orm, TEST_KEYS)
    const before = await database.dump()
    const other = Buffer.alloc(32, 7).toString('base64')
    Object.assign(process.env, keyVariables(), { FINGERPRINT_KEY: other, CLIENT_SECRET_KEY: other })
    Object.assign(process.env, {
      DATABASE_URL: servers.databaseUrl,
      TEMPORAL_ADDRESS: servers.temporalAddress,
      LOG_LEVEL: 'silent',
    })
    expect(await refusal((shutdown) => openApart('worker', shutdown))).toMatch(
      /^These are not the keys of this database: FINGERPRINT_KEY; CLIENT_SECRET_KEY\. Nothing was changed\. /,
    )
    expect(await database.dump()).toBe(before)
  })
})
