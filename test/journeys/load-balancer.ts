import { setTimeout as sleep } from 'node:timers/promises'
import { createHttpClient, type HttpClient } from '../support/http-client.ts'

/** Long enough that requests come in between, and several times within the time in which a process that stops still serves. */
const PROBE_INTERVAL_MS = 500

/** What a load balancer with readiness probes does with requests; connections to the targets are kept and used again. */
export interface LoadBalancer {
  add(url: string): void
  remove(url: string): void
  /** The next of the targets that are ready, in turn; of all targets where none is, as load balancers do. */
  next(): HttpClient
  stop(): Promise<void>
}

export function startLoadBalancer(credentials: { username: string; password: string }): LoadBalancer {
  const targets = new Map<string, { client: HttpClient; isReady: boolean }>()
  const stopping = new AbortController()
  const probes: Promise<void>[] = []
  let requests = 0

  async function probe(url: string): Promise<void> {
    while (!stopping.signal.aborted) {
      const target = targets.get(url)
      if (target === undefined) return
      target.isReady = await isReady(url)
      await sleep(PROBE_INTERVAL_MS)
    }
  }

  return {
    add(url) {
      targets.set(url, { client: createHttpClient(url, credentials), isReady: false })
      probes.push(probe(url))
    },
    remove: (url) => void targets.delete(url),
    next() {
      const all = [...targets.values()]
      const ready = all.filter((target) => target.isReady)
      const candidates = ready.length > 0 ? ready : all
      const { client } = candidates[requests % candidates.length] ?? {}
      if (client === undefined) throw new Error('The load balancer has no target.')
      requests += 1
      return client
    },
    async stop() {
      stopping.abort()
      await Promise.all(probes)
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
