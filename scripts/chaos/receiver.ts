/**
 * A merchant's server, as a process of its own: verifies each webhook, writes it down, and only then answers. Takes the
 * path of its settings.
 */
import { fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { type Arrival, readArrivals } from './arrivals.ts'
import { reactionTo } from './reaction.ts'

export interface ReceiverSettings {
  port: number
  /** Where it writes what it receives, one JSON object a line. */
  file: string
  seed: number
  /** Share of webhooks that it gives trouble. */
  trouble: number
  /** Where it sends whoever follows redirects. */
  redirect: string
  /** The secret of the endpoint at each path. */
  secrets: Record<string, string>
}

const settings = JSON.parse(readFileSync(String(process.argv[2]), 'utf8')) as ReceiverSettings
const log = openSync(settings.file, 'a')
// A line that was cut off by the end of the process was not answered either.
writeSync(log, '\n')

/** How often each webhook has come, also before this process was started. */
const timesReceived = new Map<string, number>()
for (const { messageId, path } of readArrivals(settings.file)) count(messageId, path)

function count(messageId: string, path: string): number {
  const key = `${messageId} ${path}`
  const times = (timesReceived.get(key) ?? 0) + 1
  timesReceived.set(key, times)
  return times
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString('utf8')
  const path = request.url ?? ''
  const messageId = String(request.headers['webhook-id'])
  const time = count(messageId, path)
  const reaction = reactionTo(`${settings.seed} ${messageId} ${path}`, time, settings.trouble)
  const arrival: Arrival = {
    at: Date.now(),
    method: String(request.method),
    path,
    messageId,
    contentType: String(request.headers['content-type']),
    body,
    signature: verify(request, path, body),
    answer: reaction.status,
  }
  writeSync(log, `${JSON.stringify(arrival)}\n`)
  fsyncSync(log)
  setTimeout(() => {
    const { status, headers } = reaction
    if (status === null) response.destroy()
    else response.writeHead(status, status === 302 ? { location: settings.redirect } : headers).end()
  }, reaction.delayMs)
}

/** As a merchant does it: at once, with the official package, which also refuses what is minutes old. */
function verify({ headers }: IncomingMessage, path: string, body: string): Arrival['signature'] {
  if (headers['webhook-signature'] === undefined) return 'absent'
  try {
    new Webhook(String(settings.secrets[path])).verify(body, headers as Record<string, string>)
    return 'valid'
  } catch (error) {
    return `invalid: ${(error as Error).message}`
  }
}

createServer((request, response) => {
  receive(request, response).catch(() => response.destroy())
}).listen(settings.port, '127.0.0.1', () => console.log('"ready"'))
