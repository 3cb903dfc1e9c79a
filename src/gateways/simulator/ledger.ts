import type { GatewayOperationType, Outcome } from '../../../domain/operation.ts'
import type { AuthenticationPlan, CustomerStep, Learned } from './authentications.ts'
import type { Delivery, ScriptedNotification } from './scenarios.ts'

/** Runs one SQL statement with `$1`-style parameters in its own transaction, and returns its rows. */
export type Execute = (sql: string, parameters: readonly unknown[]) => Promise<Record<string, unknown>[]>

/** A request as it arrives. */
export interface LedgerRequest {
  reference: string
  type: GatewayOperationType
  gatewayConfigurationId: string
  invoiceId: string
  gatewayAuthorizationId: string
  amountMinor: number
  currency: string
  /** Of a capture: whether it releases the rest. */
  isFinal: boolean | null
  askedAt: Date
}

/** The result of a request. */
export interface Result {
  /** Null without a scenario. */
  scenario: string | null
  /** The real outcome, even if its answer gets lost. */
  outcome: Outcome
  /** The final outcome of a pending step. */
  later: Outcome | null
  /** Null where the answer arrives. */
  delivery: Delivery | null
}

/** A request in the ledger. A reference has one entry, however often it is sent. */
export interface Entry extends LedgerRequest, Result {
  /** When its money was booked; null where it moved none. */
  bookedAt: Date | null
  /** How often the reference was sent; it was executed once. */
  timesAsked: number
  /** How often the reference was looked up. */
  lookedUp: number
}

/** An approved authorization with its totals. */
export interface HeldAuthorization {
  id: string
  /** The account that made it. */
  gatewayConfigurationId: string
  scenario: string
  currency: string
  incremental: boolean
  authorizedMinor: number
  capturedMinor: number
  /** In pending captures. */
  capturingMinor: number
  voidedMinor: number
  refundedMinor: number
  /** In pending refunds. */
  refundingMinor: number
  captures: number
  failedCaptures: number
}

export interface LedgerNotification extends Omit<LedgerRequest, 'type' | 'reference' | 'isFinal' | 'askedAt'> {
  id: string
  kind: ScriptedNotification['kind']
  reference: string | null
  reason: string | null
  evidenceDueAt: Date | null
  dueAt: Date
  /** How many copies are sent at once. */
  copies: number
  attempts: number
  deliveredAt: Date | null
}

/** What the bank knows of an authorization that waits for its customer, or has waited. */
export interface WaitingAuthorization {
  reference: string
  plan: AuthenticationPlan
  learned: Learned
  /** What becomes of the authorization once the customer is authenticated. */
  result: Result
  incremental: boolean
  returnUrl: string
  /** As the customer's statement will have it. */
  shop: string | null
  /** The last four digits, for the bank's page; null again once the authorization is decided. */
  cardEnding: string | null
}

/** The changes of a request: its result, the authorization afterwards, and the following notifications. */
export interface Change {
  result: Result
  held: HeldAuthorization | null
  notifications: readonly LedgerNotification[]
  /** When its money was booked; null where it moves none. */
  bookedAt: Date | null
  /** Of an authorization that waits for its customer, with the first step. */
  waiting?: { authorization: WaitingAuthorization; step: CustomerStep } | null
}

/** The changes by an answer of the customer: the next step, or the end of the authorization. */
export interface Advance {
  outcome: Outcome
  learned: Learned
  delivery: Delivery | null
  step: CustomerStep | null
  held: HeldAuthorization | null
  /** When the money of a sale was booked. */
  bookedAt: Date | null
}

/** A card that changes its behaviour after its first use, identified without its number. */
export interface UsedCard {
  scenario: string
  expiry: string
}

/** $1 account, $2 scenario, $3 expiry date, $4 reference. The first reference stays the first one. */
const USE_CARD = `
insert into simulator.used_card as used (gateway_configuration_id, scenario, expiry, first_reference)
values ($1, $2, $3, $4)
on conflict (gateway_configuration_id, scenario, expiry) do update set first_reference = used.first_reference
returning first_reference = $4 as is_first`

/** $1 reference, $2 authorization, $3 account. Counts a repeated reference. */
const READ = `
with earlier as (
  update simulator.request set times_asked = times_asked + 1 where reference = $1 returning *
)
select to_jsonb(earlier) as entry, to_jsonb(held) as held, held.xmin::text as version
from (select) as one
left join earlier on true
left join simulator.held_authorization as held on held.id = $2 and held.gateway_configuration_id = $3`

/** The columns that are written, by table; one that a later version adds has its default. */
const COLUMNS = {
  request: `reference type gateway_configuration_id invoice_id gateway_authorization_id amount_minor currency is_final asked_at
    scenario outcome later delivery booked_at times_asked looked_up`,
  held_authorization: `id gateway_configuration_id scenario currency incremental authorized_minor captured_minor capturing_minor
    voided_minor refunded_minor refunding_minor captures failed_captures`,
  notification: `id gateway_configuration_id invoice_id gateway_authorization_id kind reference amount_minor currency reason
    evidence_due_at due_at copies attempts delivered_at`,
  waiting_authorization: 'reference plan learned result incremental return_url shop card_ending',
  customer_step: 'id reference type acs_trans_id expires_at wrong_codes answer',
} as const

/**
 * @param place of the parameter with an object as JSON, with a list of them for notifications.
 * @param after the statement whose row must be there first.
 */
function insertInto(table: keyof typeof COLUMNS, place: string, after?: string): string {
  const columns = COLUMNS[table].split(/\s+/)
  const read = table === 'notification' ? 'jsonb_populate_recordset' : 'jsonb_populate_record'
  const rows = `${read}(null::simulator.${table}, ${place}::jsonb) as new`
  return `insert into simulator.${table} (${columns.join()})
  select ${columns.map((column) => `new.${column}`).join()} from ${after === undefined ? rows : `${after}, ${rows}`}`
}

const TOTALS =
  'authorized_minor captured_minor capturing_minor voided_minor refunded_minor refunding_minor captures failed_captures'
    .split(' ')
    .map((column) => `${column} = excluded.${column}`)

/** $1 the new state of the authorization, $2 the version that was read. Writes nothing if another step was faster. */
const HOLD = `
held as (
  ${insertInto('held_authorization', '$1')} where $1::jsonb is not null
  on conflict (id) do update set ${TOTALS.join()} where held_authorization.xmin::text = $2
  returning id
)`

/** $3 the entry, $4 its notifications. Writes nothing if the authorization was not written. */
const ENTER = `
with ${HOLD}, entered as (
  ${insertInto('request', '$3')}
  where $1::jsonb is null or exists (select from held)
  returning reference
), notified as (
  ${insertInto('notification', '$4', 'entered')}
  on conflict (id) do nothing
)
select reference from entered`

/** $1 the entry of an authorization that waits, $2 what the bank knows of it, $3 the first step. */
const WAIT = `
with entered as (
  ${insertInto('request', '$1')}
  returning reference
), waiting as (
  ${insertInto('waiting_authorization', '$2', 'entered')}
), asked as (
  ${insertInto('customer_step', '$3', 'entered')}
)
select reference from entered`

/** $1 reference, $2 id of a step. The step is null where it belongs to another reference. */
const READ_STEP = `
select to_jsonb(r) as entry, to_jsonb(w) as waiting, to_jsonb(s) as step
from simulator.request as r
left join simulator.waiting_authorization as w on w.reference = r.reference
left join simulator.customer_step as s on s.id = $2 and s.reference = r.reference
where r.reference = $1`

/**
 * $1 reference, $2 the step that was answered, $3 outcome, $4 delivery, $5 what the bank has learned, $6 the next step,
 * $7 the authorization, $8 when its money was booked. Writes nothing if the authorization no longer waits for that step.
 */
const ADVANCE = `
with advanced as (
  update simulator.request set outcome = $3::jsonb, delivery = $4::text, booked_at = $8::timestamptz
  where reference = $1 and outcome #>> '{action,continuation}' = $2
  returning reference
), known as (
  update simulator.waiting_authorization as w
  set learned = $5::jsonb, card_ending = case when $6::jsonb is not null then w.card_ending end
  from advanced where w.reference = advanced.reference
), asked as (
  ${insertInto('customer_step', '$6', 'advanced')}
  where $6::jsonb is not null
), held as (
  ${insertInto('held_authorization', '$7', 'advanced')}
  where $7::jsonb is not null
)
select reference from advanced`

/** $1 reference, $2 type, $3 account. */
const LOOK_UP = `
update simulator.request as r set looked_up = looked_up + 1
where reference = $1 and type = $2 and gateway_configuration_id = $3
returning to_jsonb(r) as entry`

/** $1 reference. */
const READ_ENTRY = `
select to_jsonb(r) as entry, to_jsonb(held) as held, held.xmin::text as version
from simulator.request as r join simulator.held_authorization as held on held.id = r.gateway_authorization_id
where r.reference = $1`

/** $3 reference, $4 its new outcome, $5 when. What was booked before is booked anew, as taken back. */
const REVISE = `
with ${HOLD}
update simulator.request set outcome = $4::jsonb,
  booked_at = case when booked_at is not null or $4::jsonb ->> 'kind' = 'approved' then $5::timestamptz end
where reference = $3 and exists (select from held)
returning reference`

const UNIQUE_VIOLATION = '23505'

/**
 * The simulator's ledger in PostgreSQL, correct with any number of processes: a step is read, decided in code, and written
 * if the authorization has not changed meanwhile; otherwise it starts again.
 */
export function createLedger(execute: Execute) {
  const write = async (sql: string, parameters: readonly unknown[]): Promise<boolean> => {
    try {
      return (await execute(sql, parameters)).length > 0
    } catch (error) {
      // Another request with the same reference was faster.
      if ((error as { code?: unknown } | null)?.code === UNIQUE_VIOLATION) return false
      throw error
    }
  }

  return {
    /** True if this is the first use of a card at its account. */
    async isFirstUse(
      { gatewayConfigurationId, reference }: LedgerRequest,
      { scenario, expiry }: UsedCard,
    ): Promise<boolean> {
      const [row] = await execute(USE_CARD, [gatewayConfigurationId, scenario, expiry, reference])
      return row?.is_first === true
    },

    /**
     * Returns the entry of the reference, and writes it first if there is none. An authorization takes one statement, since
     * there is nothing to read before; a later step takes two.
     *
     * @param decide called again if the authorization has changed since it was read
     */
    async enter(asked: LedgerRequest, decide: (held: HeldAuthorization | null) => Change): Promise<Entry> {
      const { reference, gatewayAuthorizationId, gatewayConfigurationId } = asked
      for (let isRead = asked.type !== 'authorization'; ; isRead = true) {
        const place = [reference, gatewayAuthorizationId, gatewayConfigurationId]
        const [row] = isRead ? await execute(READ, place) : []
        if (row?.entry) return objectOf(row.entry)
        const { result, held, notifications, bookedAt, waiting } = decide(row?.held ? objectOf(row.held) : null)
        const entry: Entry = { ...asked, ...result, bookedAt, timesAsked: 1, lookedUp: 0 }
        const rows = [rowOf(held), row?.version ?? null, rowOf(entry), JSON.stringify(notifications.map(columnsOf))]
        const isWritten = waiting
          ? await write(WAIT, [rowOf(entry), rowOf(waiting.authorization), rowOf(waiting.step)])
          : await write(ENTER, rows)
        if (isWritten) return entry
      }
    },

    /** The entry of a reference with one of its customer's steps; null for a reference that was never seen. */
    async readStep(
      reference: string,
      id: string,
    ): Promise<{ entry: Entry; waiting: WaitingAuthorization | null; step: CustomerStep | null } | null> {
      const [row] = await execute(READ_STEP, [reference, id])
      if (row === undefined) return null
      const { entry, waiting, step } = row
      return { entry: objectOf(entry), waiting: waiting ? objectOf(waiting) : null, step: step ? objectOf(step) : null }
    },

    /** Writes what follows from a step. False if another answer to it was faster. */
    advance(reference: string, stepId: string, advance: Advance): Promise<boolean> {
      const { outcome, delivery, learned, step, held, bookedAt: at } = advance
      const written = [JSON.stringify(outcome), delivery, JSON.stringify(learned), rowOf(step), rowOf(held), at]
      return write(ADVANCE, [reference, stepId, ...written])
    },

    /** The entry of a reference, or null. It counts as a look-up, not as a request. */
    async lookUp(
      { reference, type }: Pick<LedgerRequest, 'reference' | 'type'>,
      account: string,
    ): Promise<Entry | null> {
      const [row] = await execute(LOOK_UP, [reference, type, account])
      return row === undefined ? null : objectOf(row.entry)
    },

    /** Changes the outcome of a step, once. Returns the entry afterwards; null for a step without an authorization. */
    async revise(
      reference: string,
      at: Date,
      decide: (entry: Entry, held: HeldAuthorization) => { outcome: Outcome; held: HeldAuthorization } | null,
    ): Promise<Entry | null> {
      for (;;) {
        const [row] = await execute(READ_ENTRY, [reference])
        if (row === undefined) return null
        const entry = objectOf<Entry>(row.entry)
        const revision = decide(entry, objectOf(row.held))
        if (revision === null) return entry
        const { outcome, held } = revision
        if (await write(REVISE, [rowOf(held), row.version, reference, JSON.stringify(outcome), at]))
          return { ...entry, outcome }
      }
    },
  }
}

/** Whether the authorization waits for this step, and not for another one or none. */
export function isAwaited({ id }: CustomerStep, { outcome }: Pick<Entry, 'outcome'>): boolean {
  return outcome.kind === 'action-required' && outcome.action.continuation === id
}

/** A row as an object of ours; the driver has parsed its JSON. */
export function objectOf<T>(row: unknown): T {
  const fields = Object.entries(row as Record<string, unknown>).map(([column, value]) => [
    column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    column.endsWith('_at') && value !== null ? new Date(String(value)) : value,
  ])
  return Object.fromEntries(fields) as T
}

/** An object of ours by column names; keys of nested JSON stay. */
function columnsOf(object: object): object {
  const columnOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [columnOf(name), value]))
}

function rowOf(object: object | null): string | null {
  return object === null ? null : JSON.stringify(columnsOf(object))
}
