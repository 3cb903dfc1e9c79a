import { OWN_HOSTS } from '../../src/config.ts'
import { LOOPBACK } from '../../src/embedded/ports.ts'
import { type Core, type CoreOptions, openCore } from '../../src/processes/core.ts'
import { createShutdown, type Shutdown } from '../../src/shutdown.ts'
import { type CapturedLog, captureLog } from './captured-log.ts'
import { type AdjustableClock, runningClock } from './clock.ts'
import type { TestDatabase } from './database.ts'
import { TEST_KEYS } from './keys.ts'
import { seededRandomBytes } from './random.ts'
import { server } from './servers.ts'
import { quietRuntime } from './temporal.ts'

/** A core as a process of the service has it, with keys, clock, ids and log of the tests, and task queues of its own. */
export interface TestCore extends Core {
  clock: AdjustableClock
  log: CapturedLog
  shutdown: TestShutdown
}

export interface TestCoreOptions
  extends Pick<CoreOptions, 'metricsAt' | 'tracesTo' | 'waits'>,
    Partial<Pick<CoreOptions, 'sandboxHosts'>> {
  encryptsPayloads?: boolean
  /** What several processes of one service have in common. */
  shared?: Pick<TestCore, 'clock' | 'log' | 'randomBytes' | 'shutdown'>
}

export async function openTestCore(
  { name, url }: Pick<TestDatabase, 'name' | 'url'>,
  { encryptsPayloads = false, shared, ...options }: TestCoreOptions = {},
): Promise<TestCore> {
  const {
    clock = runningClock(),
    log = captureLog(),
    randomBytes = seededRandomBytes(name),
    shutdown = createTestShutdown(),
  } = shared ?? {}
  quietRuntime()
  const core = await openCore({
    databaseUrl: url,
    temporalAddress: (await server('temporal')).address,
    keys: TEST_KEYS,
    taskQueues: { payments: `payments-${name}`, webhooks: `webhooks-${name}` },
    encryptsPayloads,
    sandboxHosts: OWN_HOSTS,
    clock,
    randomBytes,
    logger: log.logger,
    shutdown,
    ...options,
  })
  return { ...core, clock, log, shutdown }
}

/** Where the metrics of a test are served: on any free port. */
export const ANYWHERE = { host: LOOPBACK, port: 0 }

export interface TestShutdown extends Shutdown {
  /**
   * Stops the parts, the last one added first.
   *
   * @throws Error where one has failed or does not stop cleanly.
   */
  stop(): Promise<void>
}

/** The shutdown of a service that shares its process with the tests. */
export function createTestShutdown(): TestShutdown {
  const reported: string[] = []
  const shutdown = createShutdown((line) => void reported.push(line), [])
  return {
    ...shutdown,
    async stop() {
      shutdown.request('stopped by the test', 0)
      if ((await shutdown.finished()) !== 0) throw new Error(reported.join('\n'))
    },
  }
}
