import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Shutdown } from '../../src/shutdown.ts'
import { readProcesses, timeOfTree } from '../measure/process-tree.ts'

const PROGRAM = fileURLToPath(new URL('./bare-route-process.ts', import.meta.url))

export interface BareRoute {
  baseUrl: string
  /** CPU milliseconds that its process has taken so far; zero where the system does not tell. */
  readCpuMs(): number
}

/**
 * Starts what a `GET` is measured beside: Koa with a router, and one statement that reads the row of the address. Nobody is
 * authenticated or counted there, and nothing is logged.
 *
 * @throws Error where it does not start.
 */
export async function startBareRoute(databaseUrl: string, shutdown: Shutdown): Promise<BareRoute> {
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
  const pid = child.pid as number
  return { baseUrl: `http://127.0.0.1:${port}`, readCpuMs: () => timeOfTree(readProcesses(), pid) }
}
