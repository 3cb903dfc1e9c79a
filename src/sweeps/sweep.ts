import { setInterval } from 'node:timers'
import type { Shutdown } from '../shutdown.ts'
import type { Outages } from './outages.ts'

export interface Sweep {
  /** A part of the process, of which there is one: "The sweep of payments". */
  name: string
  intervalMs: number
  /** Ends early where `stopping` is aborted. */
  run(stopping: AbortSignal): Promise<unknown>
}

/**
 * Runs a sweep at the start and then at intervals, never twice at a time; a failed sweep is repeated the next time. Stops
 * with the process.
 *
 * @param outages of the process, which tell when it fails and when it works again.
 */
export function startSweep({ name, intervalMs, run }: Sweep, outages: Outages, shutdown: Shutdown): void {
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  const sweep = async (): Promise<void> => {
    try {
      await run(stopping.signal)
      outages.worked(name)
    } catch (error) {
      if (!stopping.signal.aborted) outages.failed(name, error)
    }
    running = null
  }
  const sweepUnlessRunning = () => {
    running ??= sweep()
  }
  sweepUnlessRunning()
  const timer = setInterval(sweepUnlessRunning, intervalMs)
  shutdown.add({
    name,
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  })
}
