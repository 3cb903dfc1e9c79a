import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPorts } from '../../scripts/full-stack/ports.ts'
import { LOOPBACK } from '../../src/embedded/ports.ts'

/**
 * What can be wrong with a line. `reset`: every connection is broken twice a second, in the middle of whatever it carries.
 * `slow`: what the server says arrives later. `half-open`: nothing arrives in either direction, and nobody is told; in the end
 * all of it arrives, as TCP sends again what was lost. `no-route`: connections are broken, and new ones refused.
 */
export type Trouble = 'reset' | 'slow' | 'half-open' | 'no-route'

/** A way to a server that can be disturbed. */
export interface Line {
  port: number
  /** `host:port`, for clients. */
  address: string
  disturb(trouble: Trouble): Promise<void>
  mend(): Promise<void>
  remove(): Promise<void>
}

const RESET_EVERY_MS = 500
const SLOW_MS = 5_000
const LISTEN_TRIES = 20

export async function makeLine(host: string, target: number): Promise<Line> {
  const [port = 0] = await findPorts(1)
  const sockets = new Set<Socket>()
  let trouble: Trouble | null = null
  let resets: NodeJS.Timeout | undefined

  const carry = (from: Socket, to: Socket, isAnswer: boolean) => {
    sockets.add(from)
    let arrived = Promise.resolve()
    // What was sent before arrives before, however slow it was.
    const afterwards = (act: () => void) => {
      const isSlow = trouble === 'slow' && isAnswer
      if (isSlow) arrived = Promise.all([arrived, sleep(SLOW_MS)]).then(() => undefined)
      arrived = arrived.then(act)
    }
    from.on('data', (bytes) => afterwards(() => void to.write(bytes)))
    from.on('end', () => afterwards(() => void to.end()))
    from.on('error', () => to.resetAndDestroy())
    from.on('close', () => sockets.delete(from))
    if (trouble === 'half-open') from.pause()
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ host, port: target, allowHalfOpen: true })
    carry(client, upstream, false)
    carry(upstream, client, true)
  })
  const listen = async () => {
    for (let tries = 1; ; tries += 1) {
      try {
        server.listen(port, LOOPBACK)
        return await once(server, 'listening')
      } catch (error) {
        if (tries === LISTEN_TRIES) throw error
        await sleep(RESET_EVERY_MS)
      }
    }
  }
  const close = async () => {
    const closed = once(server, 'close')
    server.close()
    breakAll()
    await closed
  }
  const breakAll = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  const mend = async () => {
    const before = trouble
    trouble = null
    clearInterval(resets)
    if (before === 'half-open') for (const socket of sockets) socket.resume()
    if (before === 'no-route') await listen()
  }
  await listen()
  return {
    port,
    address: `${LOOPBACK}:${port}`,
    async disturb(next) {
      await mend()
      trouble = next
      if (next === 'half-open') for (const socket of sockets) socket.pause()
      if (next === 'no-route') await close()
      if (next === 'reset') {
        breakAll()
        resets = setInterval(breakAll, RESET_EVERY_MS)
      }
    },
    mend,
    async remove() {
      clearInterval(resets)
      if (server.listening) await close()
    },
  }
}
