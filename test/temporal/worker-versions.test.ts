import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createVersionKeeper, type VersionKeeper } from '../../src/sweeps/worker-version.ts'
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
interface Started {
  look: VersionKeeper | undefined
  stop(): Promise<void>
}
const running = new Set<Started>()

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
afterAll(async () => {
  await Promise.all([...running].map((workers) => workers.stop()))
  await temporal?.close()
})

/** Workers of a version, or of none, and what looks after them. */
async function start(buildId: string | null, rollout: Rollout = 'automatic') {
  const workers = await createWorkers({
    connection: temporal.connection,
    namespaces: { sandbox: namespace },
    taskQueues: TASK_QUEUES,
    activities: { payments: { lookUp: async () => null }, webhooks: { beginDeliveries: async () => [] } },
    taskSlots: createTaskSlots(),
    workflowBundle: await server('workflowBundle'),
    version: buildId === null ? undefined : { deploymentName: DEPLOYMENT_NAME, buildId },
  })
  const done = workers.run()
  done.catch(() => {})
  const { logger } = captureLog()
  const started = {
    look:
      buildId === null
        ? undefined
        : createVersionKeeper(deployments, { own: { buildId, rollout }, waits: TEST_WAITS, logger }),
    async stop() {
      running.delete(started)
      workers.shutdown()
      await done
    },
  }
  running.add(started)
  await waitFor(
    async () => (await readDeployment(deployments))?.polling.has(buildId ?? UNVERSIONED) ?? buildId === null,
  )
  return started
}

/** Looks until it is known who gets the work. */
async function decide({ look }: Started): Promise<string | undefined> {
  await waitFor(async () => look?.())
  return (await readDeployment(deployments))?.currentBuildId
}

/** One after the other: a test goes on with the workers that the one before it has left. */
describe('workers with a version', () => {
  let first: Started
  let second: Started
  let third: Started

  test('get all work by themselves on an empty namespace, also what is started eagerly, and their history says so', async () => {
    first = await start('first')
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
    second = await start('second', 'manual')
    expect(await decide(second)).toBe('first')

    // Refused until its workers are known to ask for all that the others ask for.
    const ramp = () => rampVersion(deployments, { buildId: 'second', percentage: 10 })
    await waitFor(async () => ramp().then(() => true))
    expect((await readDeployment(deployments))?.ramping).toEqual({ buildId: 'second', percentage: 10 })
    await rampVersion(deployments, { buildId: 'second', percentage: 0 })
    expect((await readDeployment(deployments))?.ramping).toBeNull()

    await first.stop()
    await waitFor(async () => (await decide(second)) === 'second')
  })

  test('do not take back what was taken from them', async () => {
    third = await start('third')
    expect(await decide(third)).toBe('third')
    await setCurrentVersion(deployments, 'second')
    expect(await decide(third)).toBe('second')
    expect(await decide(second)).toBe('second')
  })

  test('do not change what somebody else has changed meanwhile', async () => {
    const before = (await readDeployment(deployments))?.conflictToken
    await setCurrentVersion(deployments, 'third', before)
    const late = setCurrentVersion(deployments, 'second', before)
    expect(isRefused(await late.catch((error: unknown) => error))).toBe(true)
    await second.stop()
  })

  test('take over from workers without a version, and an operator gives it back to them', async () => {
    await start(null)
    await setCurrentVersion(deployments, UNVERSIONED)
    expect((await readDeployment(deployments))?.currentBuildId).toBe(UNVERSIONED)
    await third.stop()
    const next = await start('next')
    expect(await decide(next)).toBe('next')
    await setCurrentVersion(deployments, UNVERSIONED)
    expect(await decide(next)).toBe(UNVERSIONED)
  })
})
