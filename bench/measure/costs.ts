/** Whose CPU time is told apart. */
export type Role = 'service' | 'api' | 'worker' | 'temporal' | 'postgres'

/** What is counted of an operation, besides CPU time. */
export type Quantity =
  /** Statements of ours in PostgreSQL, without those that begin and end transactions. */
  | 'statements'
  /** Those of them that are the simulator's, which no other gateway has. */
  | 'simulatorStatements'
  /** BEGIN, COMMIT, ROLLBACK and their like. */
  | 'transactionStatements'
  /** PostgreSQL's own statements, by which it looks after foreign keys. */
  | 'foreignKeyChecks'
  /** Transactions that write, each of which waits for the disk when it ends. */
  | 'commits'
  /** Bytes of PostgreSQL's write-ahead log. */
  | 'walBytes'
  | 'workflowTasks'
  /** Of all histories the operation writes to, and their bytes. */
  | 'events'
  | 'historyBytes'

/** What one operation takes of each process and server, besides time. */
export interface Costs {
  /** What is counted, in the singular: `authorization`. */
  operation: string
  /**
   * CPU milliseconds an operation. `service` is API and worker in one process; where they have processes of their own,
   * it is `api` and `worker`, all of a kind together. What the bench's own client takes is no part of these.
   */
  cpuMs: Partial<Record<Role, number>>
  /** Only those that were counted. */
  counts: Partial<Record<Quantity, number>>
  /** Which statements they were, and how many of each an operation, the most frequent first: for the JSON file. */
  statements?: { text: string; calls: number }[]
}
