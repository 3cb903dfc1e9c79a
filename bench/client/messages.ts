/** A request of an operation, as data, because it is made in another process. */
export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `<name>` in it, and in the body, stands for what an earlier answer of the same operation said. */
  path: string
  body?: object
  headers?: Readonly<Record<string, string>>
  /** What to keep of the answer, by name: the path of a field such as `invoice.id`. */
  keep?: Readonly<Record<string, string>>
}

/** Requests that follow one another; one that is not answered with 200 is the last. */
export type Operation = readonly Request[]

/** How operations begin: as soon as a caller is free, or at random instants at a rate. */
export type Load =
  | { kind: 'closed'; concurrency: number; durationMs: number }
  | { kind: 'open'; ratePerSecond: number; durationMs: number; seed: number }
  /** All of them, without a time. */
  | { kind: 'all'; concurrency: number }

export interface Task {
  load: Load
  operations: readonly Operation[]
  /** Begin again with the first operation after the last; else running out of them is an error. */
  again: boolean
}

/** How one operation went. */
export interface Result {
  /** Of the operation in the task. */
  index: number
  /** From the instant it was planned for to its last answer, in milliseconds. */
  tookMs: number
  /** The common clock at its last answer. */
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

export type ClientCommand = { kind: 'run'; task: Task }

export type ClientMessage = { kind: 'ready' } | { kind: 'done'; outcome: Outcome } | { kind: 'failed'; reason: string }
