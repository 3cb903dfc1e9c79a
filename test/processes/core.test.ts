import { beforeAll, describe, expect, test } from '@jest/globals'
import { OWN_HOSTS } from '../../src/config.ts'
import { checkKeysOf } from '../../src/keys/key-check.ts'
import { openApart } from '../../src/processes/apart.ts'
import { openCore } from '../../src/processes/core.ts'
import { explain } from '../../src/processes/run-process.ts'
import { requireNamespaces } from '../../src/temporal/provision.ts'
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
  const given = (changes: Partial<URL>) =>
    Object.assign(new URL(database.url), { password: 'hunter2', ...changes }).href

  test.each([
    [
      () => ({ databaseUrl: given({ host: '127.0.0.1:1' }) }),
      /^PostgreSQL on 127\.0\.0\.1:1 does not answer: connect ECONN.*; start it or correct DATABASE_URL\.$/,
    ],
    [() => ({ databaseUrl: given({}) }), /refuses the user or the password of DATABASE_URL: password authentication/],
    [
      () => ({ databaseUrl: given({ search: '?sslmode=require' }) }),
      /cannot be reached over TLS: The server does not su/,
    ],
    [
      () => ({ temporalAddress: '127.0.0.1:1' }),
      /^Temporal on 127\.0\.0\.1:1 does not answer: Connection refused.*; start it or correct TEMPORAL_ADDRESS\.$/,
    ],
  ])('which server it cannot use, and why, without the password: %#', async (wrong, sentence) => {
    const { logger } = captureLog()
    const said = await refusal((shutdown) =>
      openCore({
        ...servers,
        ...wrong(),
        keys: TEST_KEYS,
        encryptsPayloads: false,
        sandboxHosts: OWN_HOSTS,
        logger,
        shutdown,
      }),
    )
    expect(said).toMatch(sentence)
    expect(said).not.toMatch(/hunter2|\n/)
  })

  test.each([
    [5, 'has no namespace prodx. It is that of TEMPORAL_NAMESPACE_LIVE; npm run migrate'],
    [7, 'refuses the credentials: 7 no'],
    [14, 'does not answer: 14 no'],
  ])('why it cannot use its namespaces where Temporal answers with %i', async (code, sentence) => {
    const refused = Object.assign(new Error(`${code} no`), { code, details: '', metadata: {} })
    const connection = { workflowService: { describeNamespace: () => Promise.reject(refused) } }
    const namespaces = { live: 'prodx', sandbox: 'sandbox' }
    await expect(requireNamespaces(connection as never, { address: 'temporal:7233', namespaces })).rejects.toThrow(
      `Temporal on temporal:7233 ${sentence}`,
    )
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
