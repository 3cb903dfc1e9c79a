import type { GatewayOperationType, Outcome } from '../../../domain/operation.ts'
import type { HeldAuthorization, Totals } from './follow-ups.ts'
import type { Delivery, ScriptedNotification } from './scenarios.ts'

/** Runs one SQL statement with `$1`-style parameters in a transaction of its own, and gives its rows. */
export type Execute = (sql: string, parameters: readonly unknown[]) => Promise<Record<string, unknown>[]>

/** A request as it is asked. */
export interface AskedEntry {
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

/** A request in the books. Under one reference there is one, however often it comes. */
export interface Entry extends AskedEntry {
  /** Null where no scenario is played. */
  scenario: string | null
  /** What really happened, however the answer travels. */
  outcome: Outcome
  /** What a pending outcome becomes, or has become. */
  later: Outcome | null
  /** Null where the answer arrives. */
  delivery: Delivery | null
}

/** The end of a step whose outcome was not final. */
export interface Revision {
  outcome: Outcome
  totals: Totals
}

/** A card that behaves otherwise from its second use on, by what stands for it: the number is not kept. */
export interface UsedCard {
  scenario: string
  expiry: string
}

/** A notification in the books. */
export interface NotificationEntry {
  id: string
  gatewayConfigurationId: string
  gatewayAuthorizationId: string
  invoiceId: string
  kind: ScriptedNotification['kind']
  reference: string | null
  amountMinor: number
  currency: string
  reason: string | null
  dueAt: Date
  /** How many times it is sent at once. */
  copies: number
}

/** A step as it is written: its entry, the totals of its authorization afterwards, and the notifications that follow. */
export interface FollowUpEntry {
  entry: Entry
  totals: Totals | null
  notifications: readonly NotificationEntry[]
}

const ENTRY_COLUMNS = `reference, type, gateway_configuration_id, invoice_id, gateway_authorization_id, amount_minor,
  currency, is_final, scenario, outcome, later, delivery, asked_at`

const TOTAL_COLUMNS = `authorized_minor, captured_minor, capturing_minor, voided_minor, refunded_minor, refunding_minor,
  captures, failed_captures`

/** $1 account, $2 scenario, $3 expiry date, $4 reference. The first one to ask stays the first one. */
const USE_CARD = `
insert into simulator.used_card as used (gateway_configuration_id, scenario, expiry, first_reference)
values ($1, $2, $3, $4)
on conflict (gateway_configuration_id, scenario, expiry) do update set first_reference = used.first_reference
returning first_reference = $4 as is_first`

/** $1 the entry, $2 what is held then, or null. A reference that is there already is only counted. */
const AUTHORIZE = `
with entered as (
  insert into simulator.request as r (${ENTRY_COLUMNS})
  select ${ENTRY_COLUMNS} from jsonb_populate_record(null::simulator.request, $1::jsonb)
  on conflict (reference) do update set times_asked = r.times_asked + 1
  returning *
), held as (
  insert into simulator.held_authorization (id, gateway_configuration_id, scenario, currency, incremental, ${TOTAL_COLUMNS})
  select new.id, new.gateway_configuration_id, new.scenario, new.currency, new.incremental, ${TOTAL_COLUMNS}
  from entered, jsonb_populate_record(null::simulator.held_authorization, $2::jsonb) as new
  where entered.times_asked = 1 and $2::jsonb is not null
)
select case when times_asked > 1 then to_jsonb(entered) end as earlier from entered`

/** $1 reference, $2 authorization, $3 account. Counts a reference that is there already. */
const READ = `
with earlier as (
  update simulator.request set times_asked = times_asked + 1 where reference = $1 returning *
)
select to_jsonb(earlier) as entry, to_jsonb(held) as held, held.xmin::text as version
from (select) as one
left join earlier on true
left join simulator.held_authorization as held on held.id = $2 and held.gateway_configuration_id = $3`

/** $1 authorization, $2 its totals from now on, $3 its version. Changes nothing where somebody else was faster. */
const CHANGED = `
changed as (
  update simulator.held_authorization as held set (${TOTAL_COLUMNS}) =
    (select ${TOTAL_COLUMNS} from jsonb_populate_record(null::simulator.held_authorization, $2::jsonb))
  where held.id = $1 and held.xmin::text = $3
  returning held.id
)`

/** $4 the entry, $5 the notifications that follow. Enters nothing where nothing was changed. */
const FOLLOW_UP = `
with ${CHANGED}, entered as (
  insert into simulator.request (${ENTRY_COLUMNS})
  select ${ENTRY_COLUMNS} from jsonb_populate_record(null::simulator.request, $4::jsonb)
  where $1::text is null or exists (select from changed)
  returning reference
), notified as (
  insert into simulator.notification (id, gateway_configuration_id, gateway_authorization_id, invoice_id, kind, reference,
    amount_minor, currency, reason, due_at, copies)
  select new.id, new.gateway_configuration_id, new.gateway_authorization_id, new.invoice_id, new.kind, new.reference,
    new.amount_minor, new.currency, new.reason, new.due_at, new.copies
  from entered, jsonb_populate_recordset(null::simulator.notification, $5::jsonb) as new
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

/** $4 reference, $5 its outcome from now on. */
const REVISE = `
with ${CHANGED}
update simulator.request set outcome = $5::jsonb where reference = $4 and exists (select from changed)
returning reference`

const UNIQUE_VIOLATION = '23505'

/**
 * The simulator's books in PostgreSQL, which are correct with any number of processes. A step on an authorization is read,
 * decided in code, and written where nobody has changed the authorization meanwhile; otherwise it is read again.
 */
export function createBooks(execute: Execute) {
  const write = async (sql: string, parameters: readonly unknown[]): Promise<boolean> => {
    try {
      return (await execute(sql, parameters)).length > 0
    } catch (error) {
      // Another request under the same reference was faster.
      if ((error as { code?: unknown } | null)?.code === UNIQUE_VIOLATION) return false
      throw error
    }
  }

  return {
    /** Whether this is the first use of a card at its account. */
    async isFirstUse({ gatewayConfigurationId, reference }: AskedEntry, { scenario, expiry }: UsedCard) {
      const [row] = await execute(USE_CARD, [gatewayConfigurationId, scenario, expiry, reference])
      return row?.is_first === true
    },

    /** One statement. Gives what is entered under the reference. */
    async authorize(entry: Entry, incremental: boolean): Promise<Entry> {
      const [row] = await execute(AUTHORIZE, [jsonOf(entry), jsonOf(authorizationOf(entry, incremental))])
      return row?.earlier ? objectOf(row.earlier) : entry
    },

    /** @param decide called again where the authorization has changed since it was read */
    async followUp(
      { reference, gatewayAuthorizationId, gatewayConfigurationId }: AskedEntry,
      decide: (held: HeldAuthorization | null) => FollowUpEntry,
    ): Promise<Entry> {
      for (;;) {
        const [row] = await execute(READ, [reference, gatewayAuthorizationId, gatewayConfigurationId])
        if (row?.entry) return objectOf(row.entry)
        const held = row?.held ? objectOf<HeldAuthorization>(row.held) : null
        const { entry, totals, notifications } = decide(held)
        const change = [held?.id ?? null, jsonOf(totals), row?.version ?? null]
        if (await write(FOLLOW_UP, [...change, jsonOf(entry), jsonOf(notifications)])) return entry
      }
    },

    /** What is entered under a reference, or null. Counts as no request, but is counted. */
    async lookUp(reference: string, type: GatewayOperationType, account: string) {
      const [row] = await execute(LOOK_UP, [reference, type, account])
      return row === undefined ? null : objectOf<Entry & { lookedUp: number }>(row.entry)
    },

    /** Changes the outcome of a step, once. Gives the entry as it is then; null where it is of no authorization. */
    async revise(
      reference: string,
      decide: (entry: Entry, held: HeldAuthorization) => Revision | null,
    ): Promise<Entry | null> {
      for (;;) {
        const [row] = await execute(READ_ENTRY, [reference])
        if (row === undefined) return null
        const entry = objectOf<Entry>(row.entry)
        const held = objectOf<HeldAuthorization>(row.held)
        const revision = decide(entry, held)
        if (revision === null) return entry
        const { outcome, totals } = revision
        const change = [held.id, jsonOf(totals), row.version]
        if (await write(REVISE, [...change, reference, JSON.stringify(outcome)])) return { ...entry, outcome }
      }
    },
  }
}

/** What is held after an authorization; null where it is not approved. The money of a sale is captured at once. */
function authorizationOf(entry: Entry, incremental: boolean): HeldAuthorization | null {
  const { gatewayAuthorizationId: id, gatewayConfigurationId, scenario, currency, outcome } = entry
  if (outcome.kind !== 'approved' || id === null || scenario === null) return null
  const { amountMinor: authorizedMinor, isSale = false } = outcome
  const taken = { capturedMinor: isSale ? authorizedMinor : 0, captures: isSale ? 1 : 0 }
  const nothing = { capturingMinor: 0, voidedMinor: 0, refundedMinor: 0, refundingMinor: 0, failedCaptures: 0 }
  return { id, gatewayConfigurationId, scenario, currency, incremental, authorizedMinor, ...taken, ...nothing }
}

/** A row as an object of ours; the driver has read its JSON. */
export function objectOf<T>(row: unknown): T {
  const object: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row as Record<string, unknown>))
    object[nameOf(column)] = column.endsWith('_at') && value !== null ? new Date(String(value)) : value
  return object as T
}

/** Objects of ours as JSON of rows; of JSON within them nothing is renamed. */
function jsonOf(value: object | null): string | null {
  if (value === null) return null
  return JSON.stringify(Array.isArray(value) ? value.map(rowOf) : rowOf(value))
}

function rowOf(object: object): object {
  const row: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(object)) row[columnOf(name)] = value
  return row
}

const nameOf = remembered((column) => column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()))
const columnOf = remembered((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

function remembered(change: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>()
  return (name) => {
    const changed = known.get(name) ?? change(name)
    known.set(name, changed)
    return changed
  }
}
