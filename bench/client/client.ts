import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Shutdown } from '../../src/shutdown.ts'
import type { ClientCommand, ClientMessage, Outcome, Task } from './messages.ts'

const PROGRAM = fileURLToPath(new URL('./client-process.ts', import.meta.url))

/** A merchant's server, in a process of its own. */
export interface Client {
  /** @throws Error where the operations did not suffice for the load. */
  run(task: Omit<Task, 'again'> & Partial<Task>): Promise<Outcome>
}

/**
 * Starts a client.
 *
 * @param options.baseUrls of the API's processes, which get operations in turn.
 * @param options.authorization the header of every request.
 * @throws Error where it does not start.
 */
export async function startClient(
  { baseUrls, authorization }: { baseUrls: readonly string[]; authorization: string },
  shutdown: Shutdown,
): Promise<Client> {
  const child = fork(PROGRAM, [JSON.stringify(baseUrls), JSON.stringify(authorization)], { execArgv: [] })
  const exited = once(child, 'exit')
  shutdown.add({
    name: 'The client',
    stop: async () => {
      if (child.connected) child.disconnect()
      await exited
    },
  })
  await hear(child, exited, shutdown.signal)
  return {
    async run({ again = false, ...task }) {
      child.send({ kind: 'run', task: { ...task, again } } satisfies ClientCommand)
      const message = await hear(child, exited, shutdown.signal)
      if (message.kind === 'failed') throw new Error(`The client has failed: ${message.reason}`)
      if (message.kind !== 'done') throw new Error('The client has run nothing.')
      return message.outcome
    },
  }
}

async function hear(child: ChildProcess, exited: Promise<unknown>, signal: AbortSignal): Promise<ClientMessage> {
  const ended = exited.then(() => Promise.reject(new Error('The client has ended by itself.')))
  const [message] = await Promise.race([once(child, 'message', { signal }), ended])
  return message as ClientMessage
}
