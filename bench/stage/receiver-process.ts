/**
 * The merchants' servers, in a process of their own so that receiving takes no time of the sender's: bare HTTP servers
 * that answer at once, and those that accept everything and never answer. Ends with the process that started it.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monotonicMs } from '../measure/clock.ts'
import type { ReceiverCommand, ReceiverMessage } from './receiver.ts'

const [healthyCount = 0, silentCount = 0] = process.argv.slice(2).map(Number)

const tell = (message: ReceiverMessage) => void process.send?.(message)

const healthy = await Promise.all(
  Array.from({ length: healthyCount }, () =>
    listen(
      createServer((request, response) => {
        void readBody(request).then((body) => {
          const at = monotonicMs()
          response.writeHead(200).end()
          const { event_id: eventId } = JSON.parse(body) as { event_id: string }
          tell({ kind: 'arrived', eventId, path: request.url ?? '', at })
        })
      }),
    ),
  ),
)
const silent = await Promise.all(Array.from({ length: silentCount }, () => listen(createServer(() => undefined))))

process.on('message', (command: ReceiverCommand) => {
  if (command === 'hang-up') for (const server of silent) server.closeAllConnections()
})
process.on('disconnect', () => process.exit())
tell({ kind: 'listening', healthy: healthy.map(urlOf), silent: silent.map(urlOf) })

async function listen(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
