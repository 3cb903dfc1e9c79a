import { Agent, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../support/listen.ts'
import { waitFor } from '../support/wait-for.ts'

/** Long enough that requests come in between, and several times within the time in which a process that stops still serves. */
const PROBE_INTERVAL_MS = 500

/** A request that has passed, and what became of it. */
export interface Passed {
  /** Such as `POST /invoices`. */
  request: string
  /** The status of its answer, or why there is none. */
  end: number | string
  ms: number
  /** The answer, where it is an error. */
  says: string
}

/**
 * A proxy with readiness probes in front of APIs. Its connections to them are kept and used again. It sends no request twice, and
 * breaks the connection of whoever gets no answer.
 */
export interface LoadBalancer {
  url: string
  passed: readonly Passed[]
  /** Waits until the API is ready; from then on it gets requests. */
  add(url: string): Promise<void>
  remove(url: string): void
  stop(): Promise<void>
}

export async function startLoadBalancer(): Promise<LoadBalancer> {
  /** Whether each of the APIs is ready. */
  const targets = new Map<string, boolean>()
  const passed: Passed[] = []
  const agent = new Agent({ keepAlive: true })
  const stopping = new AbortController()
  const probes: Promise<void>[] = []

  async function probe(url: string): Promise<void> {
    while (!stopping.signal.aborted && targets.has(url)) {
      const ready = await isReady(url)
      if (targets.has(url)) targets.set(url, ready)
      await sleep(PROBE_INTERVAL_MS)
    }
  }

  /** The next of the APIs that are ready, in turn; of all where none is, as load balancers do. */
  function next(): string {
    const ready = [...targets.keys()].filter((url) => targets.get(url))
    const candidates = ready.length > 0 ? ready : [...targets.keys()]
    const target = candidates[passed.length % candidates.length]
    if (target === undefined) throw new Error('The load balancer has no API.')
    return target
  }

  function pass(incoming: IncomingMessage, response: ServerResponse): void {
    const since = performance.now()
    const one: Passed = { request: `${incoming.method} ${incoming.url}`, end: 'no answer yet', ms: 0, says: '' }
    const target = next()
    passed.push(one)
    const end = (how: Passed['end']) => Object.assign(one, { end: how, ms: performance.now() - since })
    const fail = (error: Error) => {
      end(error.message)
      response.destroy()
    }
    const { connection: _, ...headers } = incoming.headers
    const outgoing = send(new URL(incoming.url ?? '', target), { method: incoming.method, headers, agent })
    outgoing.on('error', fail)
    outgoing.on('response', (answer) => {
      const { connection: __, ...own } = answer.headers
      response.writeHead(answer.statusCode ?? 0, own)
      answer.on('error', fail)
      answer.on('data', (bytes) => {
        if ((answer.statusCode ?? 0) >= 400) one.says += String(bytes)
      })
      answer.on('end', () => end(answer.statusCode ?? 0))
      answer.pipe(response)
    })
    incoming.pipe(outgoing)
  }

  const server = await listen(pass)
  return {
    url: server.url,
    passed,
    async add(url) {
      targets.set(url, false)
      probes.push(probe(url))
      await waitFor(() => targets.get(url))
    },
    remove: (url) => void targets.delete(url),
    async stop() {
      stopping.abort()
      await Promise.all(probes)
      agent.destroy()
      await server.close()
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health/ready`)
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false
  }
}
