import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { runningForFile } from '../support/for-file.ts'
import { receiverForFile } from '../support/receiver-for-file.ts'
import { makeCanary } from './canary.ts'
import { RECEIVER_TEST_CERTIFICATE } from './certificate.ts'

const SENDER = new URL('../../src/webhooks/send.ts', import.meta.url).href

const canary = runningForFile(makeCanary)
const receiver = receiverForFile()

/** Sends one webhook in a process with these variables, which Node reads when it starts. */
async function sendWith(variables: Record<string, string>, url: string) {
  const program = `
    const { createWebhookSender } = await import(${JSON.stringify(SENDER)})
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const clock = { now: () => new Date() }
    const sender = createWebhookSender({ allowPrivateTargets: true, timeoutMs: 10_000, clock, resolve })
    const body = { event_id: 'ev_1', event_type: 'transaction.captured' }
    const webhook = { url: ${JSON.stringify(url)}, environment: 'sandbox', messageId: 'ev_1', body, secrets: [] }
    console.log(JSON.stringify(await sender.send(webhook)))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, ...variables },
    timeout: 30_000,
  })
  return JSON.parse(stdout) as unknown
}

describe('a webhook goes to the address that was checked', () => {
  test('and through no proxy that the machine names, which would look the name up again', async () => {
    const proxy = `http://127.0.0.1:${canary.port}`
    const variables = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: '' }
    const lowerCase = Object.fromEntries(Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]))
    const { port } = new URL(receiver.url)
    const result = await sendWith({ ...variables, ...lowerCase }, `http://merchant.example:${port}/`)
    expect(result).toMatchObject({ delivered: true })
    expect(receiver.received).toHaveLength(1)
    expect(canary.arrivals()).toBe(0)
  })

  test('and to nobody whose certificate is not trusted, though the machine is told to trust everyone', async () => {
    let requests = 0
    const server = createTlsServer(RECEIVER_TEST_CERTIFICATE, (_, response) => {
      requests += 1
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const url = `https://receiver.test:${(server.address() as AddressInfo).port}/`
      const result = await sendWith({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, url)
      expect(result).toMatchObject({ delivered: false, reason: 'tls_failed' })
      expect(requests).toBe(0)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
