import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Shutdown } from '../../src/shutdown.ts'

const PROGRAM = fileURLToPath(new URL('./bare-route-process.ts', import.meta.url))

/**
 * Starts what a `GET` is measured beside: Koa with a router, and one statement that reads the row of the address. Nobody is
 * authenticated or counted there, and nothing is logged.
 *
 * @returns its address.
 * @throws Error where it does not start.
 */
export async function startBareRoute(databaseUrl: string, shutdown: Shutdown): Promise<string> {
  const child: ChildProcess = fork(PROGRAM, [databaseUrl], { execArgv: [] })
  const exited = once(child, 'exit')
  shutdown.add({
    name: 'The bare route',
    stop: async () => {
      if (child.connected) child.disconnect()
      await exited
    },
  })
  const gone = exited.then(([code]) => {
    throw new Error(`The bare route has ended with ${code}.`)
  })
  const [{ port }] = (await Promise.race([once(child, 'message', { signal: shutdown.signal }), gone])) as [
    { port: number },
  ]
  gone.catch(() => undefined)
  return `http://127.0.0.1:${port}`
}
