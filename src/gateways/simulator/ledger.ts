import type { GatewayOperationType, Outcome } from '../../../domain/operation.ts'
import type { Delivery, ScriptedNotification } from './scenarios.ts'

/** Runs one SQL statement with `$1`-style parameters in its own transaction, and returns its rows. */
export type Execute = (sql: string, parameters: readonly unknown[]) => Promise<Record<string, unknown>[]>

/** A request as it arrives. */
export interface Asked {
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
export interface Entry extends Asked, Result {
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

export interface LedgerNotification extends Omit<Asked, 'type' | 'reference' | 'isFinal' | 'askedAt'> {
  id: string
  kind: ScriptedNotification['kind']
  reference: string | null
  reason: string | null
  dueAt: Date
  /** How many copies are sent at once. */
  copies: number
  attempts: number
  deliveredAt: Date | null
}

/** The changes of a request: its result, the authorization afterwards, and the following notifications. */
export interface Change {
  result: Result
  held: HeldAuthorization | null
  notifications: readonly LedgerNotification[]
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

const TOTALS =
  'authorized_minor captured_minor capturing_minor voided_minor refunded_minor refunding_minor captures failed_captures'
    .split(' ')
    .map((column) => `${column} = excluded.${column}`)

/** $1 the new state of the authorization, $2 the version that was read. Writes nothing if another step was faster. */
const HOLD = `
held as (
  insert into simulator.held_authorization as held
  select * from jsonb_populate_record(null::simulator.held_authorization, $1::jsonb) where $1::jsonb is not null
  on conflict (id) do update set ${TOTALS.join()} where held.xmin::text = $2
  returning held.id
)`

/** $3 the entry, $4 its notifications. Writes nothing if the authorization was not written. */
const ENTER = `
with ${HOLD}, entered as (
  insert into simulator.request select * from jsonb_populate_record(null::simulator.request, $3::jsonb)
  where $1::jsonb is null or exists (select from held)
  returning reference
), notified as (
  insert into simulator.notification
  select new.* from entered, jsonb_populate_recordset(null::simulator.notification, $4::jsonb) as new
  on conflict (id) do nothing
)
select reference from entered`

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

/** $3 reference, $4 its new outcome. */
const REVISE = `
with ${HOLD}
update simulator.request set outcome = $4::jsonb where reference = $3 and exists (select from held)
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
    async isFirstUse({ gatewayConfigurationId, reference }: Asked, { scenario, expiry }: UsedCard): Promise<boolean> {
      const [row] = await execute(USE_CARD, [gatewayConfigurationId, scenario, expiry, reference])
      return row?.is_first === true
    },

    /**
     * Returns the entry of the reference, and writes it first if there is none. An authorization takes one statement, since
     * there is nothing to read before; a later step takes two.
     *
     * @param decide called again if the authorization has changed since it was read
     */
    async enter(asked: Asked, decide: (held: HeldAuthorization | null) => Change): Promise<Entry> {
      const { reference, gatewayAuthorizationId, gatewayConfigurationId } = asked
      for (let isRead = asked.type !== 'authorization'; ; isRead = true) {
        const place = [reference, gatewayAuthorizationId, gatewayConfigurationId]
        const [row] = isRead ? await execute(READ, place) : []
        if (row?.entry) return objectOf(row.entry)
        const { result, held, notifications } = decide(row?.held ? objectOf(row.held) : null)
        const entry: Entry = { ...asked, ...result, timesAsked: 1, lookedUp: 0 }
        const rows = [rowOf(held), row?.version ?? null, rowOf(entry), JSON.stringify(notifications.map(columnsOf))]
        if (await write(ENTER, rows)) return entry
      }
    },

    /** The entry of a reference, or null. It counts as a look-up, not as a request. */
    async lookUp({ reference, type }: Pick<Asked, 'reference' | 'type'>, account: string): Promise<Entry | null> {
      const [row] = await execute(LOOK_UP, [reference, type, account])
      return row === undefined ? null : objectOf(row.entry)
    },

    /** Changes the outcome of a step, once. Returns the entry afterwards; null for a step without an authorization. */
    async revise(
      reference: string,
      decide: (entry: Entry, held: HeldAuthorization) => { outcome: Outcome; held: HeldAuthorization } | null,
    ): Promise<Entry | null> {
      for (;;) {
        const [row] = await execute(READ_ENTRY, [reference])
        if (row === undefined) return null
        const entry = objectOf<Entry>(row.entry)
        const revision = decide(entry, objectOf(row.held))
        if (revision === null) return entry
        const { outcome, held } = revision
        if (await write(REVISE, [rowOf(held), row.version, reference, JSON.stringify(outcome)]))
          return { ...entry, outcome }
      }
    },
  }
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
