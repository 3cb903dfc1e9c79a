import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Stands in front of a service at an address that stays the same while the service goes away and comes back. */
export interface Gate {
  url: string
  /** How often the path was read through it: the request log does not say it of what polls. */
  readings(path: string): number
  open(): Promise<void>
  close(): Promise<void>
}

export async function makeGate(serviceUrl: string): Promise<Gate> {
  const service = Number(new URL(serviceUrl).port)
  const sockets = new Set<Socket>()
  let heard = ''
  let port = 0
  let server: Server | undefined
  const gate: Gate = {
    get url() {
      return `http://127.0.0.1:${port}`
    },
    readings: (path) => heard.split(`GET ${path}?`).length - 1,
    async open() {
      server = createServer((socket) => {
        const inner = connect(service, '127.0.0.1')
        for (const end of [socket, inner]) {
          sockets.add(end)
          end.on('error', () => {}).on('close', () => sockets.delete(end))
        }
        socket.on('data', (bytes) => {
          heard += bytes.toString('latin1')
        })
        socket.pipe(inner).pipe(socket)
      })
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      port = (server.address() as AddressInfo).port
    },
    async close() {
      const closed = server === undefined ? undefined : once(server, 'close')
      server?.close()
      server = undefined
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
  await gate.open()
  return gate
}
