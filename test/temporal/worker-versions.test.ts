import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createVersionKeeper } from '../../src/sweeps/worker-version.ts'
import { connectTemporal, type TemporalConnection } from '../../src/temporal/connection.ts'
import { provisionTemporal } from '../../src/temporal/provision.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import { createTaskSlots } from '../../src/temporal/task-slots.ts'
import { createWebhookStarter } from '../../src/temporal/webhook-starter.ts'
import {
  DEPLOYMENT_NAME,
  type Deployments,
  isRefused,
  type Rollout,
  rampVersion,
  readDeployment,
  setCurrentVersion,
  UNVERSIONED,
} from '../../src/temporal/worker-versions.ts'
import { createWorkers } from '../../src/temporal/workers.ts'
import { webhookWorkflowId } from '../../src/temporal/workflow-ids.ts'
import { captureLog } from '../support/captured-log.ts'
import { server } from '../support/servers.ts'
import { quietRuntime, readHistory } from '../support/temporal.ts'
import { waitFor } from '../support/wait-for.ts'
import { TEST_WAITS } from '../support/waits.ts'

const namespace = `versions-${randomUUID()}`

let temporal: TemporalConnection
let deployments: Deployments
const running: { stop(): Promise<void> }[] = []

beforeAll(async () => {
  quietRuntime()
  const { address } = await server('temporal')
  temporal = await connectTemporal(address, {
    tls: undefined,
    apiKey: undefined,
    namespaces: { live: namespace, sandbox: namespace },
  })
  await provisionTemporal(temporal.connection, { namespaces: [namespace] })
  const { workflowService: service } = temporal.connection
  deployments = { service, namespace, taskQueues: TASK_QUEUES, identity: 'test' }
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((workers) => workers.stop()))
})
afterAll(() => temporal?.close())

/** Workers of a version, or of none, and what looks after them. */
async function start(buildId: string | null, rollout: Rollout = 'automatic') {
  const workers = await createWorkers({
    connection: temporal.connection,
    namespaces: [namespace],
    taskQueues: TASK_QUEUES,
    activities: { payments: { lookUp: async () => null }, webhooks: { beginDeliveries: async () => [] } },
    taskSlots: createTaskSlots(),
    workflowBundle: await server('workflowBundle'),
    version: buildId === null ? undefined : { deploymentName: DEPLOYMENT_NAME, buildId },
  })
  const done = workers.run()
  done.catch(() => {})
  const started = {
    look:
      buildId === null
        ? undefined
        : createVersionKeeper(deployments, {
            own: { buildId, rollout },
            waits: TEST_WAITS,
            logger: captureLog().logger,
          }),
    async stop() {
      workers.shutdown()
      await done
    },
  }
  running.push(started)
  await waitFor(
    async () => (await readDeployment(deployments))?.polling.has(buildId ?? UNVERSIONED) ?? buildId === null,
  )
  return started
}

/** Looks until it is known who gets the work. */
async function decide({ look }: Awaited<ReturnType<typeof start>>): Promise<string | undefined> {
  await waitFor(async () => look?.())
  return (await readDeployment(deployments))?.currentBuildId
}

describe('workers with a version', () => {
  test('get all work by themselves on an empty namespace, also what is started eagerly, and their history says so', async () => {
    const first = await start('first')
    expect(await decide(first)).toBe('first')
    const clients = temporal.clients
    for (const eager of [false, true]) {
      const eventId = `ev_${randomUUID()}`
      const starter = createWebhookStarter({ temporal: clients, taskQueues: TASK_QUEUES, eager })
      const eventName = 'transaction.authorized'
      await starter.start({ projectId: 'proj_1', sandbox: true, invoiceId: null, eventId, eventName, run: 0 })
      const run = clients.sandbox.workflow.getHandle(webhookWorkflowId(eventId))
      expect(await run.result()).toEqual([])
      const events = JSON.stringify(await readHistory(clients.sandbox, webhookWorkflowId(eventId)))
      expect([eager, events]).toEqual([eager, expect.stringContaining('"buildId":"first"')])
      expect([eager, events]).toEqual([eager, expect.stringContaining('VERSIONING_BEHAVIOR_AUTO_UPGRADE')])
    }
  })

  test('leave the work to the current version where an operator is to decide, and take what that one leaves', async () => {
    const before = await start('before')
    expect(await decide(before)).toBe('before')
    const waiting = await start('waiting', 'manual')
    expect(await decide(waiting)).toBe('before')

    // Refused until its workers are known to ask for all that the others ask for.
    const ramp = () => rampVersion(deployments, { buildId: 'waiting', percentage: 10 })
    await waitFor(async () => ramp().then(() => true))
    expect((await readDeployment(deployments))?.ramping).toEqual({ buildId: 'waiting', percentage: 10 })
    await rampVersion(deployments, { buildId: 'waiting', percentage: 0 })
    expect((await readDeployment(deployments))?.ramping).toBeNull()

    await before.stop()
    await waitFor(async () => (await decide(waiting)) === 'waiting')
  })

  test('do not take back what was taken from them', async () => {
    const good = await start('good')
    expect(await decide(good)).toBe('good')
    const bad = await start('bad')
    expect(await decide(bad)).toBe('bad')
    await setCurrentVersion(deployments, 'good')
    expect(await decide(bad)).toBe('good')
    expect(await decide(good)).toBe('good')
  })

  test('take over from workers without a version, and an operator gives it back to them', async () => {
    await setCurrentVersion(deployments, UNVERSIONED)
    await start(null)
    expect((await readDeployment(deployments))?.currentBuildId).toBe(UNVERSIONED)
    const next = await start('next')
    expect(await decide(next)).toBe('next')
    await setCurrentVersion(deployments, UNVERSIONED)
    expect(await decide(next)).toBe(UNVERSIONED)
  })

  test('do not change what somebody else has changed meanwhile', async () => {
    await start('one')
    await start('other')
    let conflictToken: Uint8Array | undefined
    await waitFor(async () => {
      conflictToken = (await readDeployment(deployments))?.conflictToken
      await setCurrentVersion(deployments, 'one', conflictToken)
      return true
    })
    const late = setCurrentVersion(deployments, 'other', conflictToken)
    expect(isRefused(await late.catch((error: unknown) => error))).toBe(true)
  })
})
