import type { Shutdown } from '../src/shutdown.ts'
import { startHelper } from './helper.ts'

/** As data, because it is made in another process. */
export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `<name>` in it, and in the body, stands for what an earlier answer of the same operation said. */
  path: string
  body?: object
  /** What to keep of the answer, by name: the path of a field such as `invoice.id`. */
  keep?: Readonly<Record<string, string>>
}

/** Requests that follow one another; one that is not answered with 200 is the last. */
export type Operation = readonly Request[]

/** As soon as a caller is free, or at random instants at a rate, or all of them without a time. */
export type Load =
  | { kind: 'closed'; concurrency: number; durationMs: number }
  | { kind: 'open'; ratePerSecond: number; durationMs: number; seed: number }
  | { kind: 'all'; concurrency: number }

export interface Task {
  load: Load
  operations: readonly Operation[]
  /** Begin again with the first operation after the last; else running out of them is an error. */
  again?: boolean
}

/** How the operation of this index went, by the common clock, from the instant it was planned for to its last answer. */
export interface Result {
  index: number
  tookMs: number
  endedAt: number
  /** Of each request that was made; 0 where the connection broke. */
  statuses: number[]
  kept: Record<string, string>
}

export interface Outcome {
  /** By the common clock: when the first operation could begin, and when the last one had ended. */
  startedAt: number
  endedAt: number
  results: Result[]
}

/** A merchant's server, in a process of its own. */
export interface Client {
  /** @throws Error where the operations did not suffice for the load. */
  run(task: Task): Promise<Outcome>
  /** Makes one operation, all of whose requests must be answered with 200, and gives what was kept. */
  ask(...operation: Operation): Promise<Record<string, string>>
}

/** @param options.baseUrls of the API's processes, which get operations in turn. */
export async function startClient(
  { baseUrls, authorization }: { baseUrls: readonly string[]; authorization: string },
  shutdown: Shutdown,
): Promise<Client> {
  const args = [JSON.stringify(baseUrls), JSON.stringify(authorization)]
  const helper = await startHelper<{ outcome?: Outcome; failure?: string }>('client', args, shutdown)
  const run = async (task: Task) => {
    helper.send(task)
    const { outcome, failure } = await helper.hear()
    if (outcome === undefined) throw new Error(`The client has failed: ${failure}`)
    return outcome
  }
  return {
    run,
    async ask(...operation) {
      const { results } = await run({ load: { kind: 'all', concurrency: 1 }, operations: [operation] })
      const { statuses, kept } = results[0] as Result
      if (statuses.at(-1) !== 200) throw new Error(`${JSON.stringify(operation)} was answered ${statuses}.`)
      return kept
    },
  }
}

/** The field of an answer that a path such as `transaction.status` names, as text; undefined where there is none. */
export function readField(body: unknown, path: string): string | undefined {
  const value = path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null)?.[name], body)
  return value === undefined || value === null ? undefined : String(value)
}

/** Puts what was kept of earlier answers in place of each `<name>`; a name that nobody has kept stays as it is. */
export function fillIn(text: string, kept: Readonly<Record<string, string>>): string {
  if (!text.includes('<')) return text
  return text.replace(/<([a-z_]+)>/gi, (placeholder, name: string) => kept[name] ?? placeholder)
}
