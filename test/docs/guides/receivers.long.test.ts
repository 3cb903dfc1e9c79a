import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { freePort } from '../../../src/embedded/ports.ts'
import { saySkipped } from '../../gateways/skipped.ts'
import { stackForFile } from '../../support/stack-for-file.ts'
import { credentialsOf } from './environment.ts'
import { blocksOf, patternOf, readGuide } from './guide.ts'
import { RECEIVERS, startReceiver } from './receivers.ts'
import { openGuideTerminal } from './terminal.ts'

const MINUTE_MS = 60_000

const stack = stackForFile()

describe.each(RECEIVERS)('the receiver in $language', (receiver) => {
  const problem = receiver.problem()
  if (problem !== null) saySkipped(`the webhook receiver in ${receiver.language}`, problem)
  const testOrSkip = problem === null ? test : test.skip

  let url: string
  let secrets: { old: string; current: string }
  let database: Awaited<ReturnType<typeof receiver.makeDatabase>>
  let endpointId: string
  let running: Awaited<ReturnType<typeof startReceiver>> | undefined

  beforeAll(async () => {
    if (problem !== null) return
    const port = String(await freePort())
    url = `http://127.0.0.1:${port}/webhooks`
    database = await receiver.makeDatabase()
    const { body: created } = await stack.post('/webhook-endpoints', { url })
    const { id, secret: old } = created.webhook_endpoint
    endpointId = id
    const { body: rotated } = await stack.post(`/webhook-endpoints/${id}/rotate-secret`)
    secrets = { old, current: rotated.webhook_endpoint.secret }
    const WEBHOOK_SECRETS = `${secrets.current},${secrets.old}`
    running = await startReceiver(receiver, {
      ...credentialsOf(stack),
      ...database.environment,
      ...{ WEBHOOK_SECRETS, RECEIVER_PORT: port },
    })
    const { output, hasEnded } = running
    await stack.waitFor(() => output().includes('Waiting for webhooks') || hasEnded())
    if (hasEnded()) throw new Error(`The receiver has ended:\n${output()}`)
  })
  afterAll(async () => {
    if (running !== undefined) await stack.delete(`/webhook-endpoints/${endpointId}`)
    await running?.stop()
  })

  /** Posts what a webhook would, signed at an instant. */
  async function post(eventId: string, { secret = secrets.current, ageMs = 0, changed = '' } = {}): Promise<number> {
    const body = JSON.stringify({ event_id: eventId, event_type: 'transaction.captured' })
    const at = new Date(Date.now() - ageMs)
    const headers = {
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(eventId, at, body),
      'content-type': 'application/json',
    }
    return (await fetch(url, { method: 'POST', headers, body: body + changed })).status
  }

  /** A payment that is captured, with the event that tells it. */
  async function capture(): Promise<{ invoiceId: string; eventId: string }> {
    const { invoiceId } = await stack.payInvoice({ authorize: { authorize_only: false } })
    const eventId = await stack.waitFor(async () => {
      const { body } = await stack.get('/events?filter=name:transaction.captured&limit=1')
      return body.events.find((event: Record<string, string>) => event.invoice_id === invoiceId)?.id
    })
    await stack.waitFor(async () => (await database.count('handled_event', eventId)) === 1)
    return { invoiceId, eventId }
  }

  testOrSkip('ends with one line where the secrets are missing or wrong, or its port is taken', async () => {
    const noSecrets =
      /^.*WEBHOOK_SECRETS is missing or wrong: create an endpoint or rotate its secret \(docs.guides.webhooks\.md\)$/
    const taken = new RegExp(
      `^.*Cannot listen on port ${new URL(url).port} \\(.*in use.*\\): set RECEIVER_PORT to a free one$`,
    )
    const { port } = new URL(url)
    for (const [settings, line] of [
      [{}, noSecrets],
      [{ WEBHOOK_SECRETS: 'whsec_…' }, noSecrets],
      [{ WEBHOOK_SECRETS: secrets.current, RECEIVER_PORT: port }, taken],
    ] as const) {
      const refused = await startReceiver(receiver, { ...credentialsOf(stack), ...database.environment, ...settings })
      await stack.waitFor(() => refused.hasEnded() || refused.output().includes('Waiting'))
      const said = refused.output()
      await refused.stop()
      // Go adds a line of its own.
      const lines = said.split('\n').filter((one) => !/^(--- .* ---|exit status 1|)$/.test(one))
      expect(lines).toEqual([expect.stringMatching(line)])
    }
  })

  testOrSkip('takes every webhook of a payment at the first attempt, and makes one receipt', async () => {
    const { invoiceId, eventId } = await capture()
    expect(await database.count('receipt', invoiceId)).toBe(1)
    expect(running?.output()).toContain(`Verified transaction.captured ${eventId}`)
    const { body } = await stack.get(`/events?filter=invoice_id:${invoiceId}`)
    expect(body.events).toHaveLength(4)
    for (const { id } of body.events) await stack.waitFor(() => isAcceptedAtOnce(id))
  })

  async function isAcceptedAtOnce(eventId: string): Promise<boolean> {
    const { body } = await stack.get(`/events/${eventId}/webhooks`)
    const own = body.webhooks.find((one: Record<string, string>) => one.request_url === url)
    return own?.response_code === '204' && own.attempt === 0
  }

  testOrSkip('handles an event once that comes many times at once, and again from the service', async () => {
    const { invoiceId, eventId } = await capture()
    const answers = await Promise.all(Array.from({ length: 40 }, () => post(eventId)))
    expect(answers).toEqual(answers.map(() => 204))
    const said = () => running?.output().split(`Verified transaction.captured ${eventId}`).length
    const before = Number(said())
    expect((await stack.post(`/events/${eventId}/resend`)).status).toBe(200)
    await stack.waitFor(() => Number(said()) > before)
    expect([await post(eventId), await database.count('receipt', invoiceId)]).toEqual([204, 1])
    const lines = running?.output().trimEnd().split('\n') ?? []
    expect(lines.filter((line) => !/^(Waiting for webhooks on port \d+|Verified [a-z._]+ ev_\w+)$/.test(line))).toEqual(
      [],
    )
  })

  testOrSkip('takes both secrets of a rotation, and no other', async () => {
    const { eventId } = await capture()
    expect(await post(eventId, { secret: secrets.old })).toBe(204)
    expect(await post(eventId, { secret: secrets.current })).toBe(204)
    expect(await post(eventId, { secret: `whsec_${Buffer.alloc(32).toString('base64')}` })).toBe(400)
  })

  testOrSkip('refuses a changed body, an old and a future timestamp, and what has no signature', async () => {
    const { eventId } = await capture()
    expect(await post(eventId, { changed: ' ' })).toBe(400)
    expect(await post(eventId, { ageMs: 6 * MINUTE_MS })).toBe(400)
    expect(await post(eventId, { ageMs: -6 * MINUTE_MS })).toBe(400)
    expect(await post(eventId, { ageMs: 4 * MINUTE_MS })).toBe(204)
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400)
    const headers = { 'webhook-id': 'ev_1', 'webhook-timestamp': 'now', 'webhook-signature': 'v1,%,v2 v1' }
    expect((await fetch(url, { method: 'POST', body: '{}', headers })).status).toBe(400)
  })

  testOrSkip('keeps nothing of an event that it could not fetch, and asks for it again by 500', async () => {
    const unknown = `ev_${'0'.repeat(32)}`
    expect(await post(unknown)).toBe(500)
    expect(await database.count('handled_event', unknown)).toBe(0)
  })
})

test('webhooks.md registers an endpoint, and shows what a receiver does with what goes wrong', async () => {
  const [node] = RECEIVERS
  if (node === undefined) throw new Error('There is no receiver.')
  const blocks = blocksOf(readGuide('webhooks.md'))
  const port = String(await freePort())
  const replacing = { '127.0.0.1:4242': `127.0.0.1:${port}`, 'port 4242': `port ${port}` }
  const terminal = await openGuideTerminal(stack)
  const register = blocks.filter(({ heading }) => heading === 'Register the endpoint')
  await terminal.follow(register.slice(0, 2), { replacing })
  const WEBHOOK_SECRETS = (await terminal.run('echo $WEBHOOK_SECRETS')).trim()
  const { environment } = await node.makeDatabase()
  const receiver = await startReceiver(node, {
    ...credentialsOf(stack),
    ...environment,
    ...{ WEBHOOK_SECRETS, RECEIVER_PORT: port },
  })
  await stack.waitFor(() => receiver.output().includes('Waiting for webhooks'))
  await stack.payInvoice({ authorize: { authorize_only: false } })
  for (const line of (register.at(2)?.code ?? '').replace('4242', port).trim().split('\n'))
    await stack.waitFor(() => patternOf(line).test(receiver.output()))
  const wrong = blocks.filter(({ heading }) => heading === 'Try what goes wrong')
  expect(wrong.length).toBeGreaterThan(5)
  await terminal.follow(wrong, { replacing })
  await receiver.stop()
  await terminal.close()
})
