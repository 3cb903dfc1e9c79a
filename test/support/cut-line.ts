import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be cut. It keeps its port meanwhile, which another process could take otherwise. */
export async function makeCutLine(host: string, port: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const line = createServer((socket) => {
    if (isCut) return void socket.destroy()
    const upstream = connect(port, host)
    for (const end of [socket, upstream]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        sockets.delete(end)
        socket.destroy()
        upstream.destroy()
      })
    }
    socket.pipe(upstream).pipe(socket)
  })
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    address: `127.0.0.1:${(line.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      isCut = false
    },
    async remove() {
      cut()
      line.close()
      await once(line, 'close')
    },
  }
}
