import type { Shutdown } from '../src/shutdown.ts'
import { startHelper } from './helper.ts'

/** As data, because it is made in another process. */
export interface Request {
  /** GET where it is absent. */
  method?: 'GET' | 'POST'
  /** `<name>` in it, and in the body, stands for what an earlier answer of the same operation said. */
  path: string
  body?: object
  /** What to keep of the answer, by name: the path of a field such as `invoice.id`. */
  keep?: Readonly<Record<string, string>>
}

/** Requests that follow one another; one that is not answered with 200 is the last. */
export type Operation = readonly Request[]

export interface Task {
  operations: readonly Operation[]
  /** How many callers make them, each as soon as it was answered, or how many are begun in a second. */
  pace: { callers: number } | { perSecond: number }
}

/** How the operation of this index went, by the common clock. */
export interface Result {
  index: number
  tookMs: number
  /** Of each request that was made; 0 where the connection broke. */
  statuses: number[]
  kept: Record<string, string>
  /** Of the last answer. */
  retryAfter?: string | undefined
}

export interface Outcome {
  /** By the common clock: when the first operation began, and when the last one had ended. */
  startedAt: number
  endedAt: number
  results: Result[]
}

/** A merchant's server, in a process of its own. */
export interface Client {
  run(task: Task): Promise<Outcome>
}

/** @param options.baseUrls of the API's processes, which get operations in turn. */
export async function startClient(
  { baseUrls, authorization }: { baseUrls: readonly string[]; authorization: string },
  shutdown: Shutdown,
): Promise<Client> {
  const { send, hear } = await startHelper<Outcome>('client', [JSON.stringify(baseUrls), authorization], shutdown)
  return {
    run(task) {
      send(task)
      return hear()
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
  return text.replace(/<([a-z_]+)>/gi, (placeholder, name: string) => kept[name] ?? placeholder)
}
