import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findSecrets } from './canary/find-secrets.ts'
import { waitFor } from './wait-for.ts'

/** A webhook as it arrived. */
export interface ReceivedWebhook {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  at: number
}

/** What the receiver does with a webhook: a status, or an answer written by hand; never ending one is a time-out. */
export type ReceiverAnswer = number | ((response: ServerResponse, webhook: ReceivedWebhook) => void)

export interface Receiver {
  /** Address for `webhook_url`. */
  url: string
  /** Everything received so far, oldest first. */
  received: readonly ReceivedWebhook[]
  /** Answers the next webhooks with these, one each; the last one stays. At first everything is 200. */
  answerWith(...answers: [ReceiverAnswer, ...ReceiverAnswer[]]): void
  /** Waits until that many have been received. */
  waitForCount(count: number): Promise<readonly ReceivedWebhook[]>
  /** Breaks all connections and listens no more, as a server that was killed; until it is resumed, at the same address. */
  pause(): Promise<void>
  resume(): Promise<void>
  /**
   * @throws Error where a webhook held a card number or a secret.
   */
  stop(): Promise<void>
}

/** A merchant's server on loopback that receives webhooks. */
export async function makeReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = []
  let answers: ReceiverAnswer[] = [200]
  const server = createServer((request, response) => {
    const take = (webhook: ReceivedWebhook) => {
      received.push(webhook)
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? 200
      if (typeof answer === 'number') response.writeHead(answer).end()
      else answer(response, webhook)
    }
    // Whose sender is gone before its end has not arrived.
    void read(request).then(take, () => {})
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const close = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    received,
    answerWith(...next) {
      answers = next
    },
    async waitForCount(count) {
      await waitFor(() => received.length >= count)
      return received
    },
    pause: close,
    resume: () => listen(port),
    async stop() {
      await close()
      // User name and password of its own URL are the receiver's, and what it wants to be sent.
      const told = received.map(({ headers: { authorization: _, ...headers }, ...rest }) => ({ ...rest, headers }))
      const findings = findSecrets(told.map((webhook) => JSON.stringify(webhook)).join('\n'))
      if (findings.length > 0) throw new Error(`The receiver was sent:\n${findings.join('\n')}`)
    },
  }
}

async function read(request: IncomingMessage): Promise<ReceivedWebhook> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: Buffer.concat(chunks).toString('utf8'),
    at: Date.now(),
  }
}
