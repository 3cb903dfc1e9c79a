import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readConfig } from '../../src/config.ts'
import { ApiRequestEntity } from '../../src/persistence/entities/api-request.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { startApiPart } from '../../src/processes/api-part.ts'
import { createPendingAnswers } from '../../src/temporal/pending-answers.ts'
import { openTestCore } from '../support/core.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { createHttpClient } from '../support/http-client.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await makeDatabase()
})
afterAll(() => database.drop())

test('an interface that stops answers what it was asked, and writes each answer to the request log', async () => {
  const { orm } = database
  const core = await openTestCore(database)
  const { vault, clock, randomBytes, shutdown } = core
  const config = { ...readConfig({}), port: 0 }
  const url = await startApiPart(core, {
    config,
    eager: false,
    pendingAnswers: createPendingAnswers(),
    allowPrivateWebhookTargets: false,
    shutdown,
  })
  const { projectId, secretKey } = await createProject(orm.em.fork(), {
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
  expect(await orm.em.fork().count(ApiRequestEntity)).toBe(answered.length + 1)
})
