import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../../../src/embedded/wait-until.ts'

export const KINDS = ['worker', 'api', 'temporal', 'postgres', 'receiver'] as const
export type Kind = (typeof KINDS)[number] | 'codec-server'

/** One run of a program, from its start to its end. */
export interface Instance {
  pid: number
  /** Resolves with a sentence when it has ended. Never rejects. */
  exited: Promise<string>
  hasExited(): boolean
  /** True once it does its work. */
  isReady(): boolean | Promise<boolean>
  /** A clean stop, as long as it takes. */
  stop(): Promise<void>
  /** The quickest end that leaves nothing behind. */
  end(): Promise<void>
}

export interface Program {
  kind: Kind
  name: string
  start(): Promise<Instance>
}

/** A program that is started again whenever it ends, as a service manager does it. */
export interface Supervised {
  readonly kind: Kind
  readonly name: string
  /** How often it was killed. */
  kills(): number
  /** How often it ended by itself, before it was ready (a server that it needs was away) and after. */
  endings(): { early: number; late: number }
  start(): void
  isRunning(): boolean
  isReady(): Promise<boolean>
  /** Null while it is down. */
  pid(): number | null
  /** Kills it, and starts it again after a while, or from then on what takes its place. */
  kill(pauseMs: number, signal?: NodeJS.Signals, successor?: Program): void
  /** Stops it for good, cleanly. */
  stop(): Promise<void>
  /** Ends it for good, the quick way. */
  end(): Promise<void>
}

/** What ends at once when it is started is started at this pace, as service managers do. */
const RESTART_PAUSE_MS = 300
/** A server that cannot be started for so long is no crash any more, but a defect of this script or of the machine. */
const START_TIMEOUT_MS = 90_000

/** @param failed is told why the program cannot be kept running. */
export function supervise(first: Program, failed: (reason: string) => void): Supervised {
  let program = first
  let instance: Instance | null = null
  let running: Promise<void> | null = null
  let isOver = false
  let isDying = false
  let pauseMs = RESTART_PAUSE_MS
  const count = { kills: 0, early: 0, late: 0 }

  const keepRunning = async (): Promise<void> => {
    while (!isOver) {
      const killsBefore = count.kills
      const current = await startPersistently(program, () => isOver)
      if (current === null) return
      instance = current
      isDying = false
      // It was wanted when it was begun.
      if (isOver) await current.end()
      let wasReady = false
      const becomesReady = async () => {
        wasReady = !current.hasExited() && (await current.isReady())
        return wasReady || current.hasExited()
      }
      void waitUntil(becomesReady, START_TIMEOUT_MS)
      await current.exited
      instance = null
      if (isOver) return
      if (count.kills === killsBefore) count[wasReady ? 'late' : 'early'] += 1
      await sleep(pauseMs)
      pauseMs = RESTART_PAUSE_MS
    }
  }
  // The system takes a moment to tell of a death.
  const isAlive = () => instance?.hasExited() === false && !isDying

  return {
    kind: first.kind,
    name: first.name,
    kills: () => count.kills,
    endings: () => ({ early: count.early, late: count.late }),
    start() {
      running ??= keepRunning().catch((error: Error) => failed(`${program.name} does not start: ${error.message}`))
    },
    isRunning: isAlive,
    isReady: async () => isAlive() && (await instance?.isReady()) === true,
    pid: () => (isAlive() ? (instance?.pid ?? null) : null),
    kill(pause, signal = 'SIGKILL', successor = program) {
      if (instance === null || !isAlive()) return
      program = successor
      isDying = true
      count.kills += 1
      pauseMs = pause
      process.kill(instance.pid, signal)
    },
    async stop() {
      isOver = true
      await instance?.stop()
      await running
    },
    async end() {
      isOver = true
      await instance?.end()
      await running
    },
  }
}

/** Null where it is not wanted any more. */
async function startPersistently(program: Program, isOver: () => boolean): Promise<Instance | null> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    if (isOver()) return null
    try {
      return await program.start()
    } catch (error) {
      // A PostgreSQL whose last processes are still ending, a port that is not free yet.
      if (Date.now() > deadline) throw error
      await sleep(RESTART_PAUSE_MS)
    }
  }
}
