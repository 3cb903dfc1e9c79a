import { z } from 'zod'
import type { GatewayOperationType, Outcome } from '../../../domain/operation.ts'
import type { Announcement, CaptureScript, Delivery } from './scenario.ts'
import { AUTHORIZE, CAPTURE, INCREMENT, LOOK_UP, REFUND, VOID } from './statements.ts'

/** Runs one SQL statement with `$1`-style parameters in a transaction of its own, and gives its rows. */
export type Execute = (sql: string, parameters: readonly unknown[]) => Promise<Record<string, unknown>[]>

/** What every entry of the log says of a request. */
interface Entry {
  reference: string
  gatewayConfigurationId: string
  invoiceId: string
  gatewayAuthorizationId: string
  amountMinor: number
  currency: string
  askedAt: Date
}

/** What a statement reads of a script. */
export type LoggedScript = Omit<CaptureScript, 'decline' | 'notices'> & {
  decline?: Outcome
  notices?: readonly LoggedAnnouncement[]
  /** How a step ends whose answer is pending at first, for an account that is told so. */
  endings?: readonly LoggedAnnouncement[]
}

export interface LoggedAnnouncement extends Omit<Announcement, 'what'> {
  readonly what: Announcement['what'] | 'settled'
  /** How many times it is brought at once; once where this is absent. */
  readonly copies?: number
}

export interface AuthorizationEntry extends Entry {
  scenario: string | null
  incremental: boolean
  outcome: Outcome
  delivery: Delivery | null
  /** What happens at the steps that follow. */
  story: Partial<Record<GatewayOperationType, LoggedScript>>
  /** For cards that treat their first use apart: the card's expiry date, and what becomes of the first use. */
  firstUse: { expiry: string; outcome: Outcome } | null
}

export interface FollowUpEntry extends Entry {
  /** What it becomes where the authorization allows it and its story has nothing against it. */
  approval: Outcome
  /** What stands in the way, by the reason that the log finds. */
  refusals: Record<'unknown' | 'currency' | 'closed' | 'released' | 'amount', Outcome>
}

/** What the log holds under a reference after it was asked, for the first time or again. */
export interface Logged {
  outcome: Outcome
  /** How the answer fares; null where it arrives. */
  delivery: string | null
  /** False where the reference was first used for something else, so that its outcome is not the one asked for. */
  isSameRequest: boolean
}

/** What a look-up finds; `lookedUp` counts it, too. */
export interface Found {
  outcome: Outcome
  delivery: string | null
  lookedUp: number
}

/** The look-up that finds a pending outcome final: the first one still finds it pending. */
const SETTLING_LOOK_UP = 2

const cardCheck = z.enum(['passed', 'failed', 'unchecked', 'unavailable', 'unknown'])
const cardChecks = z.object({ cvcCheck: cardCheck, avsCheck: cardCheck })
const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('approved'),
    gatewayOperationId: z.string().min(1),
    amountMinor: z.int().nonnegative(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    schemeTransactionId: z.string().exactOptional(),
    authorizationCode: z.string().exactOptional(),
    cardChecks: cardChecks.exactOptional(),
    isSale: z.boolean().exactOptional(),
  }),
  z.object({
    kind: z.literal('declined'),
    code: z.string().min(1),
    gatewayCode: z.string(),
    recommendationCode: z.string().exactOptional(),
    merchantAdviceCode: z.string().exactOptional(),
    cardChecks: cardChecks.exactOptional(),
    holdsNothing: z.boolean().exactOptional(),
  }),
  z.object({ kind: z.literal('pending'), gatewayOperationId: z.string().min(1) }),
  z.object({ kind: z.literal('unknown'), reason: z.string() }),
])

/** Whatever is not word for word an outcome that we know is unknown, above all never an approval. */
export function readOutcome(value: unknown): Outcome {
  const read = outcomeSchema.safeParse(value)
  return read.success
    ? read.data
    : { kind: 'unknown', reason: 'The simulator gave an answer that nobody has heard of.' }
}

/** The simulator's durable log. Each method is one statement. */
export function createLog(execute: Execute) {
  const ask = async (sql: string, parameters: readonly unknown[]): Promise<Logged> => {
    const [row] = await execute(sql, parameters)
    return {
      outcome: readOutcome(row?.outcome),
      delivery: readDelivery(row),
      isSameRequest: row?.is_same_request === true,
    }
  }

  return {
    authorize: (entry: AuthorizationEntry) =>
      ask(AUTHORIZE, [
        ...entryParameters(entry),
        entry.scenario,
        entry.incremental,
        JSON.stringify(entry.outcome),
        entry.delivery,
        JSON.stringify(entry.story),
        entry.firstUse && JSON.stringify(entry.firstUse.outcome),
        entry.firstUse?.expiry ?? null,
      ]),
    capture: (entry: FollowUpEntry, isFinal: boolean) => ask(CAPTURE, [...followUpParameters(entry), isFinal]),
    increment: (entry: FollowUpEntry, targetTotalMinor: number) =>
      ask(INCREMENT, [...followUpParameters(entry), targetTotalMinor]),
    void: (entry: FollowUpEntry) => ask(VOID, followUpParameters(entry)),
    refund: (entry: FollowUpEntry) => ask(REFUND, followUpParameters(entry)),

    /** What is logged under a reference, or null. Counts as no request, but is counted. */
    async lookUp(reference: string, type: GatewayOperationType): Promise<Found | null> {
      const [row] = await execute(LOOK_UP, [reference, type, SETTLING_LOOK_UP])
      if (row === undefined) return null
      return { outcome: readOutcome(row.outcome), delivery: readDelivery(row), lookedUp: Number(row.looked_up) }
    },
  }
}

function entryParameters(entry: Entry): unknown[] {
  return [
    entry.reference,
    entry.invoiceId,
    entry.gatewayAuthorizationId,
    entry.amountMinor,
    entry.currency,
    entry.askedAt,
    entry.gatewayConfigurationId,
  ]
}

function followUpParameters(entry: FollowUpEntry): unknown[] {
  return [...entryParameters(entry), JSON.stringify(entry.approval), JSON.stringify(entry.refusals)]
}

function readDelivery(row: Record<string, unknown> | undefined): string | null {
  return typeof row?.delivery === 'string' ? row.delivery : null
}
