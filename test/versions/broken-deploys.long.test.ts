import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Launched } from '../journeys/launched.ts'
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
  statusOf,
  THROWS,
  withKey,
} from './broken-deploy.ts'
import { type CodeTree, plantChanged } from './code-trees.ts'
import { type Deployed, makeDeployed } from './deployed.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const trees: CodeTree[] = []
let deployed: Deployed
let receiver: Receiver
let good: Launched

beforeAll(async () => {
  ;[deployed, receiver] = await Promise.all([makeDeployed(), makeReceiver()])
  ;[good] = await Promise.all([deployed.startWorker(), deployed.startApi()])
})
afterAll(async () => {
  await deployed?.remove()
  await receiver?.stop()
  for (const tree of trees) tree.remove()
})

/** Starts a worker of this code with some changes, and waits until it gets all work. */
async function deploy(changes: typeof THROWS): Promise<Launched> {
  const tree = plantChanged(changes)
  trees.push(tree)
  const worker = await deployed.startWorker(tree.root)
  await getsAllWork(worker)
  return worker
}

/** The build ids by their share, in the sandbox. */
async function shares(): Promise<Record<string, string>> {
  const rows = (await deployed.admin('workers', 'list')).matchAll(/^sandbox +(\S+) +(\d+ %, \w+|-)/gm)
  return Object.fromEntries([...rows].map(([, buildId = '', share = '']) => [share, buildId]))
}

/** What is under way when a broken version comes. */
async function beginPayments(captureInMs: number) {
  const { invoiceId: waiting } = await deployed.payInvoice()
  const eventId = await failWebhook(deployed, receiver)
  const { invoiceId: scheduled } = await deployed.payInvoice({
    authorize: { auto_capture_at: new Date(Date.now() + captureInMs).toISOString() },
  })
  const capture = () => deployed.post(`/invoices/${waiting}/capture`, {}, withKey(`capture-${waiting}`))
  return { waiting, eventId, scheduled, capture }
}

test('a deploy that replays no history of before fails no request, and neither does the way back, by one command', async () => {
  const { '100 %, current': before = '' } = await shares()
  const { waiting, eventId, scheduled, capture } = await beginPayments(30_000)

  const bad = await deploy(ASKS_FOR_MORE)
  // What the broken version begins it can go on with, and no other version can.
  const [captured, fresh] = await Promise.all([capture(), deployed.payInvoice()])
  expect([captured.status, captured.body.transaction.status]).toEqual([200, 'completed'])
  expect(fresh.transaction.status).toBe('authorized')
  const laterEventId = await failWebhook(deployed, receiver)
  const retry = await holdRetry(receiver, laterEventId)

  expect(await deployed.admin('workers', 'set-current', before)).toBe(
    `live: ${before} gets all work.\nsandbox: ${before} gets all work.\n`,
  )
  // It is delivered while its run goes on with no version, and has nothing left to do.
  retry.accept()
  expect(await shares()).toMatchObject({ '100 %, current': before })
  const captureFresh = () => deployed.post(`/invoices/${fresh.invoiceId}/capture`, {}, withKey('capture-fresh'))
  expect((await captureFresh()).body.transaction.status).toBe('completed')
  await hasStatus(deployed, scheduled, 'completed')
  await isDelivered(deployed, eventId)
  await isDelivered(deployed, laterEventId)
  await nothingIsLostOrTwice(deployed, {
    [waiting]: ['authorization', 'capture'],
    [scheduled]: ['authorization', 'capture'],
    [fresh.invoiceId]: ['authorization', 'capture'],
  })
  await deployed.end(bad)
})

test('a deploy whose workflows throw costs no payment: merchants are told that nothing was done, and once the version of before is deployed again everything goes on by itself', async () => {
  const { waiting, eventId, scheduled, capture } = await beginPayments(3 * DAY_MS)
  const [{ id: wanted }, card] = await Promise.all([deployed.createInvoice(), deployed.createCard()])
  const authorize = () => deployed.post(`/invoices/${wanted}/authorize`, { source: card.id }, withKey('authorize'))

  const bad = await deploy(THROWS)
  await deployed.end(good)
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
})
