import { describe, expect, test } from '@jest/globals'
import { type Config, readConfig } from '../../src/config.ts'
import { ApiRequestEntity } from '../../src/persistence/entities/api-request.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { startApiPart } from '../../src/processes/api-part.ts'
import { createPendingAnswers } from '../../src/temporal/pending-answers.ts'
import { openTestCore } from '../support/core.ts'
import { createHttpClient } from '../support/http-client.ts'
import { databaseForFile } from '../support/payment-for-file.ts'

/** As long as load balancers take to notice that it is not ready any more. */
const SHUTDOWN_DELAY_MS = 500

describe('an interface that stops', () => {
  const database = databaseForFile()

  async function start(config: Partial<Config> = {}) {
    const core = await openTestCore(database)
    const url = await startApiPart(core, {
      config: { ...readConfig({}), port: 0, ...config },
      eager: false,
      pendingAnswers: createPendingAnswers(),
      allowPrivateWebhookTargets: false,
      shutdown: core.shutdown,
    })
    return { ...core, url }
  }

  test('answers what it was asked, and writes each answer to the request log', async () => {
    const { url, vault, clock, randomBytes, shutdown } = await start()
    const { projectId, secretKey } = await createProject(database.orm.em.fork(), {
      name: 'Shop',
      sandbox: true,
      randomBytes,
      hashSecret: vault.hashSecret,
      now: clock.now(),
    })
    const client = createHttpClient(url, { username: projectId, password: secretKey })
    expect((await client.get('/invoices/iv_first')).status).toBe(404)

    const asked = Array.from({ length: 30 }, (_, index) => client.get(`/invoices/iv_${index}`).catch(() => null))
    // One answer shows that the others have arrived, too; some are still being worked on.
    await Promise.race(asked)
    await shutdown.stop()
    const answered = (await Promise.all(asked)).filter((answer) => answer !== null)

    expect(answered.length).toBeGreaterThan(0)
    // An answer may be on record whose connection was ended before it arrived.
    expect(await database.orm.em.fork().count(ApiRequestEntity)).toBeGreaterThanOrEqual(answered.length + 1)
  })

  test('serves on for a while, says that it is not ready, and has no connection kept open', async () => {
    const { url, shutdown } = await start({ shutdownDelayMs: SHUTDOWN_DELAY_MS })
    const ready = () => fetch(new URL('/health/ready', url))
    expect((await ready()).status).toBe(200)
    const stopping = shutdown.stop()
    const begun = performance.now()
    const { status, headers } = await ready()
    expect([status, headers.get('connection')]).toEqual([503, 'close'])
    await stopping
    expect(performance.now() - begun).toBeGreaterThan(SHUTDOWN_DELAY_MS - 50)
    await expect(ready()).rejects.toThrow()
  })
})
