import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeReceiver, type Receiver } from '../support/receiver.ts'
import {
  askAgain,
  failWebhook,
  getsAllWork,
  hasStatus,
  isDelivered,
  isNotStarted,
  nothingIsLostOrTwice,
  statusOf,
  THROWS,
  withKey,
} from './broken-deploy.ts'
import { type CodeTree, plantChanged } from './code-trees.ts'
import { type Deployed, makeDeployed } from './deployed.ts'

/** Two deploys, requests that wait for 30 s, and runs that are tried again. */
const TEST_TIMEOUT_MS = 600_000
const DAY_MS = 24 * 60 * 60 * 1000

let broken: CodeTree
let deployed: Deployed
let receiver: Receiver

beforeAll(async () => {
  broken = plantChanged(THROWS)
  ;[deployed, receiver] = await Promise.all([makeDeployed(), makeReceiver()])
}, TEST_TIMEOUT_MS)
afterAll(async () => {
  await deployed?.remove()
  await receiver?.stop()
  broken?.remove()
}, TEST_TIMEOUT_MS)

test(
  'a deploy whose workflows throw costs no payment: merchants are told that nothing was done, and once the version of before is deployed again everything goes on by itself',
  async () => {
    const good = await deployed.startWorker()
    await deployed.startApi()
    const { invoiceId: waiting } = await deployed.payInvoice()
    const eventId = await failWebhook(deployed, receiver)
    const { invoiceId: scheduled } = await deployed.payInvoice({
      authorize: { auto_capture_at: new Date(Date.now() + 3 * DAY_MS).toISOString() },
    })
    const [{ id: wanted }, card] = await Promise.all([deployed.createInvoice(), deployed.createCard()])

    const bad = await deployed.startWorker(broken.root)
    await getsAllWork(bad)
    await deployed.end(good)
    const capture = () => deployed.post(`/invoices/${waiting}/capture`, {}, withKey('capture'))
    const authorize = () => deployed.post(`/invoices/${wanted}/authorize`, { source: card.id }, withKey('authorize'))
    await Promise.all([isNotStarted(capture()), isNotStarted(authorize())])
    expect(await statusOf(deployed, waiting)).toBe('authorized')
    expect(await statusOf(deployed, scheduled)).toBe('authorized')

    // Its workers take the work as soon as those of the broken version are gone; nobody says so.
    const [again] = await Promise.all([deployed.startWorker(), deployed.end(bad)])
    await getsAllWork(again)
    const answers = await Promise.all([askAgain(capture), askAgain(authorize)])
    expect(answers.map(({ status, body }) => [status, body.transaction.status])).toEqual([
      [200, 'completed'],
      [200, 'authorized'],
    ])
    // Its run may be a new one by now, which has the instant of the capture from the record.
    const due = await deployed.post(`/invoices/${scheduled}/clock/advance`, { seconds: (4 * DAY_MS) / 1000 })
    expect(due.status).toBe(200)
    await hasStatus(deployed, scheduled, 'completed')
    await isDelivered(deployed, eventId)
    await nothingIsLostOrTwice(deployed, {
      [waiting]: ['authorization', 'capture'],
      [scheduled]: ['authorization', 'capture'],
      [wanted]: ['authorization'],
    })
  },
  TEST_TIMEOUT_MS,
)
