import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Shutdown } from '../../src/shutdown.ts'

const PROGRAM = fileURLToPath(new URL('./receiver-process.ts', import.meta.url))

/** A webhook that a healthy server has received; the instant is that of the common clock. */
export interface Arrival {
  eventId: string
  path: string
  at: number
}

/** What the process of the receivers says. */
export type ReceiverMessage =
  | { kind: 'listening'; healthy: string[]; silent: string[] }
  | ({ kind: 'arrived' } & Arrival)

/** Has the silent servers close their connections. */
export type ReceiverCommand = 'hang-up'

export interface Receiver {
  /** Addresses of servers that answer 200 at once. */
  healthy: readonly string[]
  /** Addresses of servers that never answer. */
  silent: readonly string[]
  hangUp(): void
}

/** Starts the merchants' servers. */
export async function startReceiver(
  count: { healthy: number; silent: number },
  shutdown: Shutdown,
  onArrival: (arrival: Arrival) => void,
): Promise<Receiver> {
  const child = fork(PROGRAM, [String(count.healthy), String(count.silent)])
  const exited = once(child, 'exit')
  let isWanted = true
  void exited.then(() => {
    if (isWanted) shutdown.request('The receiver has ended, so everything else stops too', 1)
  })
  shutdown.add({
    name: 'The receiver',
    stop: async () => {
      isWanted = false
      if (child.connected) child.disconnect()
      await exited
    },
  })
  const [listening] = (await once(child, 'message', { signal: shutdown.signal })) as [ReceiverMessage]
  if (listening.kind !== 'listening') throw new Error('The receiver does not listen.')
  child.on('message', (message: ReceiverMessage) => {
    if (message.kind === 'arrived') onArrival(message)
  })
  return {
    healthy: listening.healthy,
    silent: listening.silent,
    hangUp: () => void child.send('hang-up' satisfies ReceiverCommand),
  }
}
