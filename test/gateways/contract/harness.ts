import type { Gateway, GatewayAccess, GatewayCard } from '../../../src/gateways/gateway.ts'

/** What is wrong with the line to a gateway. Over all of them but `refuses-connections` a request arrives and is done. */
export type Trouble =
  /** Answers to what moves money, and to questions about it, are lost; what only prepares such a call is answered. */
  | { kind: 'loses-answers' }
  /** No answer ever comes, and the connection stays open. */
  | { kind: 'never-answers' }
  /** Nobody listens. */
  | { kind: 'refuses-connections' }
  /** Answers are errors with this status, whose texts quote all that was sent, the card and the credentials included. */
  | { kind: 'quotes-requests'; status: number }
  /** Answers to what moves money are this text, with the status of success. */
  | { kind: 'answers'; text: string }
  /** The JSON of answers is changed; `everywhere` also in answers to what moves no money. */
  | { kind: 'changes-answers'; change(answer: unknown): unknown; everywhere?: boolean }

export interface TestCard {
  card: GatewayCard
  scheme: string | null
  /** Settings that the account needs for this card. */
  settings?: Readonly<Record<string, string>>
}

/** A notification as it arrives. */
export interface Arrival {
  rawBody: Uint8Array
  headers: Readonly<Record<string, string | undefined>>
}

/** What an adapter's test brings along so that the conformance suite can judge it. */
export interface GatewayHarness {
  gateway: Gateway
  /** The same gateway before a notification has come, where it needs one to know how a step ended. */
  uninformed?: Gateway
  /** The account at the gateway that everything is done with. */
  access: Pick<GatewayAccess, 'credentials' | 'settings'>
  /**
   * True where a look-up also finds a step that was refused. Where it does not, it says that the step was never seen, and
   * the same step asked for again is answered like the first.
   */
  remembersRefusedSteps: boolean
  /** False where the gateway has no look-up by our reference: what is not known from a notification cannot be learned. */
  looksUp?: false
  /** How long a look-up may take to find what was just done; none by default. */
  lookUpPatienceMs?: number
  /** False where a step is sent without a look at what is left of the authorization. */
  seesWhatIsLeft?: false
  /** False where a repetition that overtakes its own first request is told that this is under way, which is `unknown`. */
  repetitionsWait: boolean
  /** True for a real host, which is asked no more often than it has to be. */
  isRemote?: true
  /** True where later steps are only noted, and nothing can tell the test how they ended; authorizations alone are judged. */
  onlyNotesLaterSteps?: true
  /** The same gateway over a line with this trouble; null where there is no line that could have it. */
  over(trouble: Trouble): Promise<Gateway | null>
  /** An answer, with a word in place of its status that the gateway's documentation does not have. */
  inventStatus(answer: unknown): unknown
  /** The answer to an authorization, as if `TOLD` had been approved in place of what was asked. */
  misstate(answer: unknown): unknown
  approvedCard: TestCard
  declinedCard: TestCard
  /** A card of which this step is not decided at first; null where there is none. */
  pendingCard: (TestCard & { step: 'authorization' | 'capture' }) | null
  /** A card whose holder has to go to a page; null where no customer is ever sent anywhere. */
  actionCard: TestCard | null
  /** Null where the gateway sends no notifications over HTTP. */
  notifications: {
    /** A proven one, about an approved authorization. */
    known(): Arrival
    /** Proven ones whose event, or the status in it, nobody has heard of. */
    invented(): readonly Arrival[]
  } | null
  /** The approved authorizations of an invoice in the gateway's own books. */
  countAuthorizations(invoiceId: string): Promise<number>
  /** What was captured for an invoice, in minor units, in the gateway's own books. */
  capturedMinor(invoiceId: string): Promise<number>
  /** What was given back of it. */
  refundedMinor(invoiceId: string): Promise<number>
  close(): Promise<void>
}

/** What `misstate` says was approved. */
export const TOLD = { amountMinor: 1_234, currency: 'USD' } as const
