import type { IncomingHttpHeaders } from 'node:http'
import type { Entry, NewEntry } from './ledger.ts'

/** What a request or a notification is about. */
export const STEPS = [
  'prepare',
  'authorize',
  'continue',
  'capture',
  'void',
  'increment',
  'refund',
  'dispute',
  'search',
  'read',
  'list',
  'test',
] as const
export type Step = (typeof STEPS)[number]

/** One request as it arrived; its fields are those of the query or of the body. */
export interface Arrived<Fields> {
  method: string
  /** Without its query. */
  path: string
  fields: Fields
  headers: IncomingHttpHeaders
}

/** A request with what became of it. */
export interface Logged {
  at: string
  step: Step
  method: string
  path: string
  reference: string | null
  /** Null while it is under way, or if no answer was given. */
  status: number | null
  fault: string | null
}

export interface Answer {
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
}

/** What a fault changes about the decision of a request. */
export interface Circumstances {
  /** How much the issuer approves of the amount of an authorization. */
  approves(asked: number): number
  /** What was done in the last milliseconds is not seen yet. */
  lagMs: number
}

export const ORDINARY: Circumstances = { approves: (asked) => asked, lagMs: 0 }

/** What the gateway's documentation says about idempotency keys. */
export interface KeyRules {
  /** Whether this kind of request is done once for a key. */
  applies(request: { method: string }): boolean
  /** To the same key while its first request is under way. */
  underWay: Answer
  /** To the same key with another request; null where the gateway does not compare. */
  otherRequest: Answer | null
  /** Whether a failure of the gateway itself is the answer to the key for good. */
  keepsFailures: boolean
}

/** A notification, ready to be sent. */
export interface Post {
  body: string
  headers: Readonly<Record<string, string>>
}

/** The customer's way back from the issuer: the address to open, with what the browser brings along. */
export interface WayBack {
  return_url: string
  parameters: Readonly<Record<string, string>>
}

/** What the customer did on the issuer's page. */
export interface Visit {
  passes: boolean
  /** What was posted to the page; null where it was opened. */
  form: Readonly<Record<string, string>> | null
}

/** Where a gateway writes what it has done. */
export interface Outside<Payload> {
  enter(entry: NewEntry): void
  /** Notifies of what has happened. */
  tell(step: Step, payload: Payload): void
}

/** A gateway as far as its documentation goes. What all gateways share is the engine's: server, keys, faults, ledger. */
export interface GatewayModel<Fields, Payload> {
  name: string
  /** What a gateway configuration of the service needs. */
  account: { credentials: Readonly<Record<string, string>>; settings: Readonly<Record<string, string>> }
  /** The steps that it knows. */
  steps: readonly Step[]
  keys: KeyRules
  /** Throws for what cannot be read. */
  read(text: string): Fields
  stepOf(request: { method: string; path: string }): Step
  /** The answer to whoever may not ask; null to everybody else. */
  refuse(request: Arrived<Fields>): Answer | null
  handle(request: Arrived<Fields>, circumstances: Circumstances): Answer
  /** 429: refused before it was looked at. 503: the same, by a front door that is broken. 500: broken somewhere. */
  failure(status: 429 | 500 | 503): Answer
  posts(payloads: readonly Payload[]): Post[]
  /** The waits before a notification that was not accepted is sent again. */
  retrySeconds: readonly number[]
  openDispute(payment: Entry, amountMinor: number): void
  /** Ends the dispute that was opened last; false where none is open. */
  endDispute(payment: Entry, isWon: boolean): boolean
  /** Null where no customer of this payment has anything to do. @param payment our reference, the gateway's id, or that of the page */
  visit(payment: string, visit: Visit): WayBack | null
}
