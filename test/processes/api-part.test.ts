import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readConfig } from '../../src/config.ts'
import { ApiRequestEntity } from '../../src/persistence/entities/api-request.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { startApiPart } from '../../src/processes/api-part.ts'
import type { Shutdown, StopStep } from '../../src/shutdown.ts'
import { createPendingAnswers } from '../../src/temporal/pending-answers.ts'
import { createVault } from '../../src/vault/vault.ts'
import { PRODUCTION_WAITS } from '../../src/waits.ts'
import { captureLog } from '../support/captured-log.ts'
import { runningClock } from '../support/clock.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { createHttpClient } from '../support/http-client.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { seededRandomBytes } from '../support/random.ts'
import { connectTemporal } from '../support/temporal.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await makeDatabase()
})
afterAll(() => database.drop())

test('an interface that stops answers what it was asked, and writes each answer to the request log', async () => {
  const temporal = await connectTemporal()
  const steps: StopStep[] = []
  const shutdown = {
    signal: new AbortController().signal,
    add: (step: StopStep) => void steps.push(step),
    onRequest: () => undefined,
  } as unknown as Shutdown
  const randomBytes = seededRandomBytes(database.name)
  const vault = createVault(TEST_KEYS)
  const clock = runningClock()
  const { orm } = database
  const core = { orm, temporal, vault, clock, randomBytes, waits: PRODUCTION_WAITS, logger: captureLog().logger }
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
  for (const step of steps.toReversed()) await step.stop()
  const answered = (await Promise.all(asked)).filter((answer) => answer !== null)

  expect(answered.length).toBeGreaterThan(0)
  expect(await orm.em.fork().count(ApiRequestEntity)).toBe(answered.length + 1)
  await temporal.close()
})
