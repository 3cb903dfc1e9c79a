import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeReceiver, type Receiver } from '../support/receiver.ts'
import {
  ASKS_FOR_MORE,
  askAgain,
  failWebhook,
  getsAllWork,
  hasStatus,
  holdRetry,
  isDelivered,
  isNotStarted,
  nothingIsLostOrTwice,
  withKey,
} from './broken-deploy.ts'
import { type CodeTree, plantChanged } from './code-trees.ts'
import { type Deployed, makeDeployed } from './deployed.ts'

/** Requests that wait for 30 s, and runs that are replaced twice. */
const TEST_TIMEOUT_MS = 600_000

let broken: CodeTree
let deployed: Deployed
let receiver: Receiver

beforeAll(async () => {
  broken = plantChanged(ASKS_FOR_MORE)
  ;[deployed, receiver] = await Promise.all([makeDeployed(), makeReceiver()])
}, TEST_TIMEOUT_MS)
afterAll(async () => {
  await deployed?.remove()
  await receiver?.stop()
  broken?.remove()
}, TEST_TIMEOUT_MS)

/** The build ids by their share, in the sandbox. */
async function shares(): Promise<Record<string, string>> {
  const rows = (await deployed.admin('workers', 'list')).matchAll(/^sandbox +(\S+) +(\d+ %, \w+|-)/gm)
  return Object.fromEntries([...rows].map(([, buildId = '', share = '']) => [share, buildId]))
}

test(
  'a deploy that replays no history of before costs no payment, and neither does the way back, by one command',
  async () => {
    await deployed.startWorker()
    await deployed.startApi()
    const { '100 %, current': before = '' } = await shares()
    const { invoiceId: waiting } = await deployed.payInvoice()
    const eventId = await failWebhook(deployed, receiver)
    const { invoiceId: scheduled } = await deployed.payInvoice({
      authorize: { auto_capture_at: new Date(Date.now() + 30_000).toISOString() },
    })

    await getsAllWork(await deployed.startWorker(broken.root))
    const capture = () => deployed.post(`/invoices/${waiting}/capture`, {}, withKey('capture'))
    await isNotStarted(capture())
    // What the broken version begins it can go on with, and no other version can.
    const [captured, fresh] = await Promise.all([askAgain(capture), deployed.payInvoice()])
    expect([captured.status, captured.body.transaction.status]).toEqual([200, 'completed'])
    expect(fresh.transaction.status).toBe('authorized')
    const laterEventId = await failWebhook(deployed, receiver)
    const retry = await holdRetry(receiver, laterEventId)

    expect(await deployed.admin('workers', 'set-current', before)).toBe(
      `live: ${before} gets all work.\nsandbox: ${before} gets all work.\n`,
    )
    expect(await shares()).toMatchObject({ '100 %, current': before })
    // It is delivered while its run goes on with no version, and has nothing left to do.
    retry.accept()
    const captureFresh = () => deployed.post(`/invoices/${fresh.invoiceId}/capture`, {}, withKey('capture-fresh'))
    await isNotStarted(captureFresh())
    expect((await askAgain(captureFresh)).body.transaction.status).toBe('completed')
    await hasStatus(deployed, scheduled, 'completed')
    await isDelivered(deployed, eventId)
    await isDelivered(deployed, laterEventId)
    await nothingIsLostOrTwice(deployed, {
      [waiting]: ['authorization', 'capture'],
      [scheduled]: ['authorization', 'capture'],
      [fresh.invoiceId]: ['authorization', 'capture'],
    })
  },
  TEST_TIMEOUT_MS,
)
