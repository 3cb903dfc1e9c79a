import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Shutdown } from '../src/shutdown.ts'

/** A process of the bench beside the one that measures, so that its work takes no time of the service's event loop. */
export interface Helper<Message> {
  /** What it says when it is ready. */
  first: Message
  send(command: object): void
  /** @throws Error where it ends before it says something. */
  hear(): Promise<Message>
}

/** Starts `bench/<program>-process.ts`, which ends with this process. */
export async function startHelper<Message>(
  program: string,
  args: readonly string[],
  shutdown: Shutdown,
): Promise<Helper<Message>> {
  const file = fileURLToPath(new URL(`./${program}-process.ts`, import.meta.url))
  const child = fork(file, [...args], { execArgv: [] })
  const exited = once(child, 'exit')
  shutdown.add({
    name: `The process ${program}`,
    stop: async () => {
      if (child.connected) child.disconnect()
      await exited
    },
  })
  const ended = exited.then(() => Promise.reject(new Error(`The process ${program} has ended by itself.`)))
  // Who hears is told; nobody may be listening when it ends at the end.
  ended.catch(() => undefined)
  const hear = async () => {
    const [message] = await Promise.race([once(child, 'message', { signal: shutdown.signal }), ended])
    return message as Message
  }
  return {
    first: await hear(),
    send: (command) => void child.send(command),
    hear,
  }
}
