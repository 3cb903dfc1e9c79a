/** The merchants' servers: bare HTTP servers that answer at once, and those that accept everything and never answer. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { monotonicMs } from './load.ts'
import type { ReceiverMessage } from './receiver.ts'

const [healthyCount = 0, silentCount = 0] = process.argv.slice(2).map(Number)
const tell = (message: ReceiverMessage) => void process.send?.(message)

const listen = (count: number, make: () => Server) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const server = make().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
const healthy = await listen(healthyCount, () =>
  createServer(async (request, response) => {
    const body = await text(request)
    const at = monotonicMs()
    response.writeHead(200).end()
    const { event_id: eventId } = JSON.parse(body) as { event_id: string }
    tell({ eventId, at })
  }),
)
const silent = await listen(silentCount, () => createServer(() => undefined))

process.on('message', () => {
  for (const server of silent) server.closeAllConnections()
})
process.on('disconnect', () => process.exit())
const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
tell({ healthy: healthy.map(urlOf), silent: silent.map(urlOf) })
