import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { makeReceiver, type ReceivedWebhook, type Receiver } from '../../../test/support/receiver.ts'
import { stackForFile } from '../../../test/support/stack-for-file.ts'
import { UNUSED_PORT } from '../../../test/support/unused-port.ts'
import { webhooks } from '../../node/src/index.ts'
import { type Gate, makeGate } from './gate.ts'
import { credentialsOf, makeTerminal, type Running, type Terminal } from './terminal.ts'

/** `holdfast listen` and `holdfast logs tail` beside a service that runs, goes away and comes back. */

const stack = stackForFile()
let gate: Gate
let receiver: Receiver
let terminal: Terminal
beforeEach(async () => {
  gate = await makeGate(stack.baseUrl)
  receiver = await makeReceiver()
  terminal = await makeTerminal(stack.project.secretKey, credentialsOf({ ...stack, baseUrl: gate.url }))
})
afterEach(async () => {
  await terminal.remove()
  await receiver.stop()
  await gate.close()
})

async function customer(fields: object = {}): Promise<string> {
  return (await stack.post('/customers', { email: 'ann@shop.example', ...fields })).body.customer.id
}

async function listen(...more: string[]): Promise<Running> {
  const running = terminal.start('listen', '--forward-to', receiver.url, ...more)
  await stack.waitFor(() => running.out().includes('whsec_') || running.err())
  return running
}

const secretIn = (text: string) => String(/whsec_[A-Za-z0-9+/=]+/.exec(text))
const typeOf = ({ body }: ReceivedWebhook) => JSON.parse(body).event_type

/** Until the command line has asked once more, as it does every second. */
async function nextPoll(path: string): Promise<void> {
  const before = gate.readings(path)
  await stack.waitFor(() => gate.readings(path) > before + 1)
}

describe('holdfast listen', () => {
  test('forwards what happens from now on, each event once, in order, and signed', async () => {
    const before = await customer()
    const running = await listen()
    const id = await customer()
    await stack.put(`/customers/${id}`, { last_name: 'Martin' })
    await stack.delete(`/customers/${id}`)
    const forwarded = () => running.out().match(/ 200 /g)?.length ?? 0
    await stack.waitFor(() => forwarded() === 3)
    // What a later look finds comes without what was there before.
    await stack.put(`/customers/${before}`, { last_name: 'Durand' })
    await stack.waitFor(() => forwarded() > 3)
    const { code, out } = await running.interrupt()
    expect([code, out]).toEqual([0, expect.stringMatching(/Forwarded 4 events\.\n$/)])
    const first = ['customer.created', 'customer.updated', 'customer.deleted']
    expect(receiver.received.map(typeOf)).toEqual([...first, 'customer.updated'])
    for (const { body, headers } of receiver.received) {
      const told = webhooks.verify(body, headers, secretIn(out))
      expect(headers['webhook-id']).toBe(told.event_id)
      expect(out).toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d 200 ${told.event_type} ${told.event_id}$`, 'm'))
    }
  })

  test('sends exactly what a webhook endpoint is sent', async () => {
    const { body } = await stack.post('/webhook-endpoints', { url: receiver.url })
    const running = await listen()
    await customer()
    const [one, other] = await receiver.waitForCount(2)
    const told = (webhook: ReceivedWebhook | undefined) => [
      webhook?.method,
      webhook?.body,
      webhook?.headers['user-agent'],
      Object.keys(webhook?.headers ?? {}).toSorted(),
    ]
    expect(told(one)).toEqual(told(other))
    expect(one?.headers['webhook-id']).not.toBe(other?.headers['webhook-id'])
    await running.interrupt()
    await stack.delete(`/webhook-endpoints/${body.webhook_endpoint.id}`)
  })

  test('keeps the secret of a project, in a file that only its owner can read', async () => {
    const first = await (await listen()).interrupt()
    const second = await (await listen('--json')).interrupt()
    expect(JSON.parse(second.out.split('\n')[0] ?? '')).toMatchObject({ secret: secretIn(first.out) })
    expect((await terminal.kept('listen.json')).mode).toBe(0o600)
  })

  test('forwards only the events that are named, and prints JSON, one a line', async () => {
    const running = await listen('--events', 'customer.deleted,customer.updated', '--json')
    await stack.delete(`/customers/${await customer()}`)
    await stack.waitFor(() => running.out().split('\n').length === 3)
    const { out } = await running.interrupt()
    expect(receiver.received.map(typeOf)).toEqual(['customer.deleted'])
    const [, line = ''] = out.split('\n')
    expect(JSON.parse(line)).toEqual({
      event_id: expect.stringMatching(/^ev_/),
      event_type: 'customer.deleted',
      status: 200,
      problem: null,
      response_time_ms: expect.any(Number),
    })
  })

  test('goes on while nobody takes them, and while they are refused, and sends none twice', async () => {
    const nobody = terminal.start('listen', '--forward-to', `http://127.0.0.1:${UNUSED_PORT}/webhooks`)
    await stack.waitFor(() => nobody.out().includes('whsec_'))
    const running = await listen()
    receiver.answerWith(500, 302, 200)
    for (const _ of [1, 2, 3]) await customer()
    await receiver.waitForCount(3)
    await stack.waitFor(() => nobody.out().split('ECONNREFUSED').length === 4)
    await nextPoll('/events')
    const { out } = await running.interrupt()
    expect(receiver.received).toHaveLength(3)
    expect(out).toMatch(/ 500 customer.*not accepted.* 302 customer.*Redirects are not followed.* 200 customer/s)
    expect(await nobody.interrupt()).toMatchObject({ code: 0, out: expect.stringContaining('--- customer.created') })
  })

  test('says that the service is away, and misses nothing of what happens meanwhile', async () => {
    const running = await listen()
    await customer()
    await receiver.waitForCount(1)
    await gate.close()
    await stack.waitFor(() => running.err().includes('Waiting for it; nothing is lost'))
    for (const _ of [1, 2]) await customer()
    await gate.open()
    await receiver.waitForCount(3)
    const { code, err } = await running.interrupt()
    expect([code, err.match(/Waiting for it/g)]).toEqual([0, ['Waiting for it']])
    expect(err).toContain('The service answers again.')
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
  })

  test('ends with 4 where the service is away from the beginning', async () => {
    await gate.close()
    expect(await terminal.run(['listen', '--forward-to', receiver.url])).toMatchObject({ code: 4, out: '' })
  })
})

describe('holdfast logs tail', () => {
  test('shows requests as they are answered, without those by which it and listen follow', async () => {
    await stack.get('/invoices/iv_before')
    // The log begins with the second in which the command was given.
    await sleep(1100)
    const listening = await listen()
    const running = terminal.start('logs', 'tail')
    await stack.waitFor(() => running.err().includes('from now on'))
    await stack.get('/invoices/iv_0')
    await terminal.run(['customers', 'create', '--email', 'ann@shop.example'])
    await stack.waitFor(() => running.out().includes('POST /customers'))
    await nextPoll('/events')
    const { code, out } = await running.interrupt()
    expect(code).toBe(0)
    expect(out).toMatch(/^\d\d:\d\d:\d\d 404 GET \/invoices\/iv_0 \d+ ms\n {2}resource\.invoice\.not-found$/m)
    expect(out.match(/POST \/customers/g)).toHaveLength(1)
    expect(out).not.toMatch(/\/events|iv_before/)
    await listening.interrupt()
  })

  test('shows only what was asked for, as JSON', async () => {
    const running = terminal.start('logs', 'tail', '--json', '--filter', 'status>=400', 'method:GET')
    await stack.waitFor(() => running.err().includes('from now on'))
    await customer()
    await stack.get('/invoices/iv_1')
    await stack.waitFor(() => running.out() !== '')
    const { out } = await running.interrupt()
    expect(JSON.parse(out)).toMatchObject({ status: 404, path: '/invoices/iv_1' })
  })
})
