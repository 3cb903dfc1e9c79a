import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import tls from 'node:tls'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createWebhookSender, type WebhookSenderOptions } from '../../src/webhooks/send.ts'
import { makeEd25519Secret } from '../../src/webhooks/signature.ts'
import { makeReceiver, type Receiver, type ReceiverAnswer } from '../support/receiver.ts'
import { UNUSED_PORT } from '../support/unused-port.ts'
import { RECEIVER_TEST_CERTIFICATE } from './certificate.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

async function receiver(answer: ReceiverAnswer = 200): Promise<Receiver & { port: string }> {
  const made = await makeReceiver()
  made.answerWith(answer)
  closers.push(made.stop)
  return { ...made, port: new URL(made.url).port }
}

/** A merchant's server over TLS, as `receiver.test`, that answers 200. */
async function tlsReceiver(answer: (response: ServerResponse) => void = (response) => response.end()) {
  const received: IncomingHttpHeaders[] = []
  const server = createTlsServer(RECEIVER_TEST_CERTIFICATE, ({ headers }, response) => {
    received.push(headers)
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, received }
}

/** Runs while the certificate of `receiver.test` is trusted. */
async function whileTrusted(run: () => Promise<void>) {
  const trusted = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...trusted, RECEIVER_TEST_CERTIFICATE.cert])
  try {
    await run()
  } finally {
    tls.setDefaultCACertificates(trusted)
  }
}

/** A server that speaks whatever it likes instead of HTTP. */
async function rawServer(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

const BODY = { event_id: 'ev_1', event_type: 'transaction.captured' } as const

function send(url: string, options: Partial<WebhookSenderOptions> = {}, environment: 'live' | 'sandbox' = 'sandbox') {
  return createWebhookSender({ allowPrivateTargets: true, ...options }).send({
    url,
    environment,
    messageId: 'ev_1',
    body: BODY,
    secrets: [],
  })
}

describe('a webhook counts as failed', () => {
  test('where the answer is one to a question for another protocol', async () => {
    const port = await rawServer((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    )
    const result = await send(`http://127.0.0.1:${port}/`)
    expect(result).toMatchObject({ delivered: false, status: 101, reason: 'http_status' })
  })

  test.each([400, 404, 410, 429, 500, 503])('when the answer is %i', async (status) => {
    const { url } = await receiver((response) => response.writeHead(status).end('no'))
    expect(await send(url)).toMatchObject({ delivered: false, status, reason: 'http_status' })
  })

  test.each([300, 301, 302, 304, 308])('when the answer is %i', async (status) => {
    const { url } = await receiver(status)
    expect(await send(url)).toMatchObject({ delivered: false, status, reason: 'redirect' })
  })

  test('when no answer comes in time, and then it is not waited for any longer', async () => {
    const { url } = await receiver(() => {})
    const result = await send(url, { timeoutMs: 300 })
    expect(result).toMatchObject({ delivered: false, status: null, reason: 'timeout' })
    expect(result.responseTimeMs).toBeGreaterThanOrEqual(290)
    // Not the 10 s that are waited where nobody says otherwise.
    expect(result.responseTimeMs).toBeLessThan(9_000)
  })

  test('when the name is unknown', async () => {
    expect(await send('http://does-not-exist.invalid/')).toMatchObject({
      delivered: false,
      status: null,
      reason: 'dns_lookup_failed',
    })
  })

  test('when nobody listens, or the connection ends without an answer', async () => {
    const failed = { delivered: false, status: null, reason: 'connection_failed' }
    expect(await send(`http://127.0.0.1:${UNUSED_PORT}/`)).toMatchObject(failed)
    const hangsUp = await rawServer((socket) => socket.once('data', () => socket.destroy()))
    expect(await send(`http://127.0.0.1:${hangsUp}/`)).toMatchObject(failed)
    const switches = await rawServer((socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      ),
    )
    expect(await send(`http://127.0.0.1:${switches}/`)).toMatchObject({ delivered: false })
  })

  test('when the answer is not HTTP', async () => {
    const port = await rawServer((socket) => socket.once('data', () => socket.write('220 mail.example ESMTP\r\n')))
    const result = await send(`http://127.0.0.1:${port}/`)
    expect(result).toMatchObject({ delivered: false, status: null, reason: 'invalid_response' })
  })

  test('when the certificate is not trusted, and then nothing is sent', async () => {
    const { port, received } = await tlsReceiver()
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const result = await send(`https://receiver.test:${port}/`, { resolve }, 'live')
    expect(result).toMatchObject({ delivered: false, status: null, reason: 'tls_failed' })
    expect(received).toHaveLength(0)
  })

  test('when the connection ends without an answer, over TLS, whose certificate is no reason then', async () => {
    await whileTrusted(async () => {
      const { port } = await tlsReceiver((response) => response.destroy())
      const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
      const result = await send(`https://receiver.test:${port}/`, { resolve }, 'live')
      expect(result).toMatchObject({ delivered: false, status: null, reason: 'connection_failed' })
    })
  })
})

describe('a webhook is delivered', () => {
  test.each([200, 201, 202, 204, 299])('when the answer is %i', async (status) => {
    const { url } = await receiver(status)
    expect(await send(url)).toMatchObject({ delivered: true, status, reason: null })
  })

  test('as a POST with a JSON body of exactly two fields', async () => {
    const { port, received } = await receiver()
    const sender = createWebhookSender({ allowPrivateTargets: true })
    const body = { ...BODY, secret: 'must not leave' }
    const url = `http://127.0.0.1:${port}/hooks?order=1`
    await sender.send({ url, environment: 'sandbox', messageId: 'ev_1', body, secrets: [] })
    expect(received).toHaveLength(1)
    const [request] = received
    expect(request).toMatchObject({ method: 'POST', path: '/hooks?order=1' })
    expect(request?.body).toBe('{"event_id":"ev_1","event_type":"transaction.captured"}')
    expect(request?.headers).toEqual({
      host: `127.0.0.1:${port}`,
      connection: 'close',
      'content-type': 'application/json',
      'content-length': String(request?.body.length),
      'user-agent': expect.stringMatching(/^Holdfast/),
      'webhook-id': 'ev_1',
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    })
  })

  test('with the user name and password of its URL, and none of another', async () => {
    const { port, received } = await receiver()
    await send(`http://merchant:p%40ss@127.0.0.1:${port}/`)
    await send(`http://127.0.0.1:${port}/`)
    const basic = `Basic ${Buffer.from('merchant:p@ss').toString('base64')}`
    expect(received.map(({ headers }) => headers.authorization)).toEqual([basic, undefined])
  })

  test('and of an answer that repeats the request no signature is kept', async () => {
    const { port, received } = await receiver((response) => {
      const signature = String(response.req.headers['webhook-signature'])
      response.writeHead(200, { 'x-echo': encodeURIComponent(signature) }).end(JSON.stringify(signature.split(',')))
    })
    const secrets = [{ scheme: 'ed25519' as const, secret: makeEd25519Secret() }]
    const sender = createWebhookSender({ allowPrivateTargets: true })
    const url = `http://127.0.0.1:${port}/`
    const { excerpt } = await sender.send({ url, environment: 'sandbox', messageId: 'ev_1', body: BODY, secrets })
    expect(received[0]?.headers['webhook-signature']).toMatch(/^v1a,\S{88}$/)
    expect(excerpt).toMatchObject({ body: '["v1a","[signature]"]', headers: { 'x-echo': 'v1a%2C[signature]' } })
  })

  test('by a success whose body never ends, of which little is read', async () => {
    const cutOff = Promise.withResolvers<void>()
    const { url } = await receiver((response) => {
      response.writeHead(200)
      const flood = setInterval(() => response.write('x'.repeat(1024)), 1)
      response.on('close', () => {
        clearInterval(flood)
        cutOff.resolve()
      })
    })
    const result = await send(url)
    expect(result).toMatchObject({ delivered: true, status: 200 })
    // It is cut off for its size, and not because its time is over.
    expect(result.responseTimeMs).toBeLessThan(9_000)
    await cutOff.promise
  })

  test('over TLS to the checked address, under the name of the URL', async () => {
    await whileTrusted(async () => {
      const { port, received } = await tlsReceiver()
      const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
      expect(await send(`https://receiver.test:${port}/`, { resolve }, 'live')).toMatchObject({ delivered: true })
      expect(received[0]?.host).toBe(`receiver.test:${port}`)
      const wrongName = await send(`https://other.test:${port}/`, { resolve }, 'live')
      expect(wrongName).toMatchObject({ delivered: false, reason: 'tls_failed' })
    })
  })
})
