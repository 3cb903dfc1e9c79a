import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type ChildServer, startChildServer, waitUntilReady } from '../../src/embedded/child-server.ts'
import { freePort, isListening, LOOPBACK } from '../../src/embedded/ports.ts'
import { obtainTemporalCli } from '../../src/embedded/temporal-cli.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { connectTemporal, type TemporalConnection } from '../../src/temporal/connection.ts'
import { createTestClock } from '../../src/temporal/test-clock.ts'
import { type Interface, startInterface } from '../http/interface.ts'
import { AUTHORIZED, createStubbedPayment } from '../http/stubbed-payment.ts'
import { quietRuntime } from '../support/temporal.ts'
import { waitFor } from '../support/wait-for.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('a Temporal server', () => {
  let folder: string
  let server: ChildServer
  let temporal: TemporalConnection
  let api: Interface

  beforeAll(async () => {
    quietRuntime()
    folder = await mkdtemp(join(tmpdir(), 'holdfast-temporal-'))
    const port = await freePort()
    const logFile = join(folder, 'temporal.log')
    server = await startChildServer({
      name: 'Temporal',
      // The run's guardian has put it there already.
      command: await obtainTemporalCli({
        explicitPath: process.env.TEMPORAL_CLI_PATH,
        searchPath: false,
        log: () => undefined,
      }),
      // As it comes, without the setting that allows it to skip time.
      args: [
        ...['server', 'start-dev', '--headless', '--log-level', 'warn', '--namespace', 'sandbox'],
        ...['--ip', LOOPBACK, '--port', String(port), '--http-port', String(await freePort())],
      ],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder },
      cwd: folder,
      logFile,
    })
    await waitUntilReady(server, { name: 'Temporal', logFile, isReady: () => isListening(port), signal: undefined })
    // It listens a moment before it answers.
    temporal = await waitFor(() => connectTemporal(`${LOOPBACK}:${port}`).catch(() => null))
  })
  afterAll(async () => {
    await api?.stop()
    await temporal?.close()
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('that skips no time is told so, and the payment stays where it is', async () => {
    const clock = createTestClock({ temporal: temporal.clients, taskQueues: { payments: 'none', webhooks: 'none' } })
    api = await startInterface({
      testClock: {
        ...clock,
        // No worker answers here: a run is enough for the server to refuse.
        settlePayment: async ({ invoiceId }) => {
          const workflowId = `payment-${invoiceId}`
          const start = { workflowId, taskQueue: 'none', workflowIdConflictPolicy: 'USE_EXISTING' } as const
          const { firstExecutionRunId } = await temporal.clients.sandbox.workflow.start('paymentWorkflow', start)
          const now = api.clock.now().getTime()
          return { now, nextAt: now + 6 * DAY_MS, workflowId, runId: firstExecutionRunId }
        },
      },
    })
    const payment = await createStubbedPayment(api)
    await payment.begin()
    await payment.record(AUTHORIZED)
    const answer = await payment.post('clock/advance', { seconds: 60 })
    expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.clock.not-available' } })
    const { invoiceId } = payment
    const row = await api.database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })
    expect(row).toMatchObject({ clockOffsetMs: 0 })
  })
})
