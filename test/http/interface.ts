import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Command, CommandAnswer } from '../../domain/command.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import { readConfig } from '../../src/config.ts'
import type { AppDeps } from '../../src/http/dependencies.ts'
import { BufferedRequestLog } from '../../src/http/request-log/request-log.ts'
import type { AnswerRows } from '../../src/persistence/queries/payments/find-payment.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { appDeps, serveApp, type TemporalDeps } from '../../src/processes/api-part.ts'
import type { PaymentClient, PaymentDescription } from '../../src/temporal/client.ts'
import type { TestClock } from '../../src/temporal/test-clock.ts'
import { createVault } from '../../src/vault/vault.ts'
import { PRODUCTION_WAITS, type Waits } from '../../src/waits.ts'
import { recordExchanges } from '../support/canary/exchanges.ts'
import { findSecrets } from '../support/canary/find-secrets.ts'
import { type CapturedLog, captureLog } from '../support/captured-log.ts'
import { type AdjustableClock, fixedClock } from '../support/clock.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { forFile } from '../support/for-file.ts'
import { createHttpClient, type HttpClient } from '../support/http-client.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { HIGH_LIMITS } from '../support/limits.ts'
import { seededRandomBytes } from '../support/random.ts'

/** Signs the notifications of simulated accounts that have no key of their own. */
const SIMULATOR_KEY = 'a key that only this process has'

type SentAnswer = CommandAnswer | { kind: 'no-answer' }

/** The payments behind the interface, stubbed by the test, which sees every command and says what became of it. */
export interface StubbedPayments {
  sent: { payment: PaymentDescription; command: Command }[]
  /** Answers the commands from now on; may change rows first, as a payment would. */
  answerWith(answer: (command: Command) => SentAnswer | Promise<SentAnswer>): void
}

export interface Merchant {
  projectId: string
  secretKey: string
  client: HttpClient
}

export interface Interface {
  url: string
  database: TestDatabase
  clock: AdjustableClock
  log: CapturedLog
  payments: StubbedPayments
  /** The events that were announced to be sent, in their order. */
  announced: FiredEvent[]
  /** Writes the request log's rows of everything that was answered. */
  flushRequestLog(): Promise<void>
  /** A sandbox project. */
  merchant: Merchant
  makeMerchant(options: { sandbox: boolean }): Promise<Merchant>
  /**
   * @throws Error where the log, a row or an answer to a merchant's client holds a card number or a secret, unless the
   *   test has planted it there.
   */
  stop(options?: { hasPlanted?: boolean }): Promise<void>
}

/** What a test hands in by itself. */
type Replaced = Partial<AppDeps> & { waits?: Waits }

/** The interface of production on a free port, over a real database; payments are stubbed, Temporal is not there. */
export async function startInterface(replaced: Replaced = {}): Promise<Interface> {
  const database = await makeDatabase(replaced.waits)
  const { orm } = database
  const randomBytes = seededRandomBytes(database.name)
  const vault = createVault(TEST_KEYS)
  const clock = fixedClock()
  const log = captureLog()
  const exchanges = recordExchanges()
  const secretKeys: string[] = []
  const payments = stubPayments()
  const announced: FiredEvent[] = []
  // Not started: what a request leaves behind in the log is written when a test asks for it.
  const requestLog = new BufferedRequestLog({ orm, logger: log.logger })
  const temporal: TemporalDeps = {
    payments: payments.client,
    resyncer: { resync: async () => {} },
    testClock: recordClock(clock),
    announce: (events) => announced.push(...events),
    isReady: async () => ({ database: true, temporal: true }),
  }
  const config = readConfig({})
  const { sandboxHosts } = config
  const core = { orm, vault, clock, randomBytes, sandboxHosts, waits: PRODUCTION_WAITS, logger: log.logger }
  const options = { config, allowPrivateWebhookTargets: false, requestLog, simulatorKey: SIMULATOR_KEY }
  const { server } = serveApp({ ...appDeps(core, options), ...temporal, ...replaced })
  const url = await listen(server)

  const makeMerchant = async ({ sandbox }: { sandbox: boolean }): Promise<Merchant> => {
    const em = database.orm.em.fork()
    const options = {
      name: 'Shop',
      sandbox,
      randomBytes,
      hashSecret: vault.hashSecret,
      now: clock.now(),
      limits: HIGH_LIMITS,
    }
    const { projectId, secretKey } = await createProject(em, options)
    secretKeys.push(secretKey)
    const client = createHttpClient(url, { username: projectId, password: secretKey }, exchanges.add)
    return { projectId, secretKey, client }
  }
  return {
    url,
    database,
    clock,
    log,
    payments: payments.stub,
    announced,
    flushRequestLog: () => requestLog.flush(),
    merchant: await makeMerchant({ sandbox: true }),
    makeMerchant,
    async stop({ hasPlanted = false } = {}) {
      server.close()
      server.closeAllConnections()
      const known = { numbers: [], cvcs: [], others: [...secretKeys, ...exchanges.toldSecrets()] }
      const findings = [
        ...findSecrets(log.text(), known).map((what) => `The log holds ${what}.`),
        ...exchanges.inspect(known),
        ...(await database.inspect(known)),
      ]
      await database.drop({ isInspected: true })
      if (findings.length > 0 && !hasPlanted) throw new Error(`The interface has left behind:\n${findings.join('\n')}`)
    },
  }
}

/** The interface of a file: started before its tests, stopped after them. */
export const interfaceForFile = (
  replaced: Replaced = {},
  stopOptions: Parameters<Interface['stop']>[0] = {},
): Interface =>
  forFile(
    () => startInterface(replaced),
    (api) => api.stop(stopOptions),
  )

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A clock whose payments await nothing, so that only the record moves. */
function recordClock(clock: AdjustableClock): TestClock {
  return {
    within: (_, work) => work(),
    settlePayment: async () => ({ now: clock.now().getTime(), nextAt: null, workflowId: '', runId: '' }),
    webhookRun: async () => null,
    requireAllowed: async () => {},
    movePayment: async () => {},
    moveWebhook: async () => {},
  }
}

function stubPayments(): { client: PaymentClient<AnswerRows>; stub: StubbedPayments } {
  const sent: StubbedPayments['sent'] = []
  let answer: (command: Command) => SentAnswer | Promise<SentAnswer> = () => {
    throw new Error('No test said what a payment answers.')
  }
  return {
    client: {
      send: async (payment, command) => {
        sent.push({ payment, command })
        const given = await answer(command)
        return given.kind === 'no-answer' ? 'no-answer' : { answer: given, rows: null }
      },
      workflowOf: (environment, invoiceId) => ({ namespace: environment, workflowId: `payment-${invoiceId}` }),
    },
    stub: {
      sent,
      answerWith(next) {
        answer = next
      },
    },
  }
}
