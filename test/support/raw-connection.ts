import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** One answer as it came over the wire. */
export interface RawAnswer {
  status: number
  /** By name in small letters. */
  headers: Readonly<Record<string, string>>
  body: string
}

/** A connection on which anything can be sent, also what no client of HTTP would send. */
export interface RawConnection {
  socket: Socket
  send(bytes: string | Buffer): void
  /** What has come back so far, byte by byte. */
  text(): string
  /** Waits until the other side has closed, and gives everything that it sent. */
  closed(withinMs?: number): Promise<string>
}

export async function openRawConnection(url: string, localAddress?: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const from = localAddress === undefined ? {} : { localAddress }
  const socket = connect({ host: hostname, port: Number(port), ...from })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A connection that is reset has ended, like any other.
  socket.on('error', () => {})
  const ended = new Promise<'closed'>((resolve) => socket.once('close', () => resolve('closed')))
  await once(socket, 'connect')
  const text = () => Buffer.concat(chunks).toString('latin1')
  return {
    socket,
    send: (bytes) => void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    text,
    async closed(withinMs = 30_000) {
      const giveUp = new AbortController()
      const late = sleep(withinMs, 'late' as const, { signal: giveUp.signal }).catch(() => 'late' as const)
      const first = await Promise.race([ended, late])
      giveUp.abort()
      socket.destroy()
      if (first === 'late') throw new Error(`The connection is still open after ${withinMs} ms: ${text()}`)
      return text()
    },
  }
}

/** The answers in what came over a connection, one after the other; those with a length only. */
export function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (end === -1 || Number.isNaN(status)) throw new Error(`This is no answer: ${JSON.stringify(rest.slice(0, 200))}`)
    const headers = Object.fromEntries(
      lines.map((header) => {
        const colon = header.indexOf(':')
        return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()]
      }),
    )
    const length = Number(headers['content-length'] ?? 0)
    const begin = end + 4
    if (status >= 200) answers.push({ status, headers, body: rest.slice(begin, begin + length) })
    rest = rest.slice(begin + length)
  }
  return answers
}
