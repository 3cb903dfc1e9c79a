import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { makePaymentFixture } from '../support/payment-fixture.ts'
import { createSignedActivities } from '../support/signed-activities.ts'
import { waitFor } from '../support/wait-for.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** A process that loads the database's library, on a machine that runs other tests as well. */
const START_TIMEOUT_MS = 40_000

describe('npm run simulator', () => {
  let database: TestDatabase
  let fixture: Awaited<ReturnType<typeof makePaymentFixture>>
  const started: ChildProcess[] = []

  beforeAll(async () => {
    database = await makeDatabase()
    fixture = await makePaymentFixture(database)
  })
  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL')
    await database.drop()
  })

  /** Runs the command as a developer does. */
  const start = (args: readonly string[], databaseUrl = database.url) => {
    const env = { PATH: String(process.env.PATH), HOME: tmpdir(), DATA_DIR: tmpdir(), DATABASE_URL: databaseUrl }
    const child = spawn(process.execPath, ['scripts/simulator.ts', ...args], { cwd: ROOT, env })
    started.push(child)
    const said: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk.toString()))
    const exited = once(child, 'exit').then(([code]) => code as number)
    return { child, said: () => said.join(''), exited }
  }

  /** A payment whose account is served by the server at an address; how its step was answered. */
  const payAt = async (baseUrl: string) => {
    await database.orm.em
      .fork()
      .nativeUpdate(GatewayConfigurationEntity, { projectId: fixture.projectId }, { settings: { base_url: baseUrl } })
    const invoiceId = await fixture.makeInvoice()
    const command = fixture.authorizeCommand(await fixture.makeCard())
    const { answer } = await createSignedActivities(fixture.deps).authorize(fixture.step(invoiceId, command))
    return { answer, requests: (await readSimulatorLog(fixture.execute, { invoiceId })).requests }
  }

  test(
    'does not start on a port that there is not',
    async () => {
      const { exited, said } = start(['--port', '70000'])

      expect(await exited).toBe(1)
      expect(said()).toContain('--port is a port number from 0 to 65535.')
    },
    START_TIMEOUT_MS,
  )

  test(
    'serves the payments of an account that names it, and ends when it is told to',
    async () => {
      const { child, said, exited } = start(['--port', '0'])
      const [, url = ''] = await waitFor(() => /listens on (http:\S+?)\. /.exec(said()), START_TIMEOUT_MS)
      expect(new URL(url).hostname).toBe('127.0.0.1')

      const served = await payAt(url)
      expect(served.answer).toMatchObject({ kind: 'done' })
      expect(served.requests).toMatchObject([{ type: 'authorization', outcome: { kind: 'approved' }, timesAsked: 1 }])

      child.kill('SIGTERM')
      expect(await exited).toBe(0)
      expect((await payAt(url)).requests).toEqual([])
    },
    2 * START_TIMEOUT_MS,
  )
})
