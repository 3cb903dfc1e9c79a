import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * The servers of a test run belong to a process of their own, the guardian. Whatever becomes of the run (done,
 * failed, interrupted, killed), its end of a pipe closes, and the guardian stops the servers and removes their data.
 * A server is started when the first test asks for it, so that a run of pure tests starts none.
 */
const GUARDIAN = fileURLToPath(new URL('./guardian/guardian.ts', import.meta.url))

/** How a test process finds the guardian; Jest hands its environment on to its workers. */
const GUARDIAN_URL = 'HOLDFAST_TEST_GUARDIAN_URL'

export interface Guardian {
  pid: number
  /** Stops the servers and waits until nothing of them is left. */
  stop(): Promise<void>
}

/** What the guardian can give, and what a test gets to know of it. */
export interface ServerParts {
  /**
   * A real PostgreSQL with one migrated database to clone; the user may create databases. `serviceUrl` is of the user of the
   * service, who owns nothing.
   */
  postgres: { url: string; serviceUrl: string; template: string; logFile: string }
  /** A real Temporal server with the namespaces and search attributes of production; time can be skipped. */
  temporal: { address: string; uiUrl: string; logFile: string }
  /** The workflows of this tree, bundled once. */
  workflowBundle: { codePath: string }
}

/**
 * Starts the guardian of this run.
 *
 * @throws Error with the guardian's own words when the Temporal CLI cannot be had.
 */
export async function startGuardian(): Promise<Guardian> {
  const child = spawn(process.execPath, [GUARDIAN], {
    // A session of its own: Ctrl-C at the terminal must reach the run, not the process that cleans up after it.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const firstLine = once(createInterface(child.stdout), 'line')
  const [url] = await Promise.race([
    firstLine,
    exited.then(() => Promise.reject(new Error('The servers for the tests cannot be provided; see above.'))),
  ])
  process.env[GUARDIAN_URL] = String(url)
  return {
    pid: child.pid as number,
    async stop() {
      child.stdin.end()
      await exited
    },
  }
}

/** What the tests have asked for so far; nothing is started by this question. */
export async function startedServers(): Promise<Partial<ServerParts>> {
  return ask(STARTED) as Promise<Partial<ServerParts>>
}

/** The guardian's name for that question; no part is called so. */
export const STARTED = 'started'

/**
 * Gives a part of the run's servers, started by the first who asks.
 *
 * @throws Error when it cannot be started, or when no guardian runs.
 */
export async function server<Name extends keyof ServerParts>(name: Name): Promise<ServerParts[Name]> {
  return (await ask(name)) as ServerParts[Name]
}

async function ask(name: string): Promise<unknown> {
  const url = process.env[GUARDIAN_URL]
  if (url === undefined) throw new Error('No guardian runs: start the tests through Jest, or call startGuardian.')
  // A connection kept from the last question may be closed by the other side at the moment of this one.
  const response = await fetch(new URL(name, url), { headers: { connection: 'close' } })
  if (!response.ok) throw new Error(`The ${name} of this run cannot be had: ${await response.text()}`)
  return response.json()
}
