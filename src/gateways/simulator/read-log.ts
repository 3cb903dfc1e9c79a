import {
  type Entry,
  type Execute,
  type HeldAuthorization as Held,
  type LedgerNotification,
  objectOf,
} from './ledger.ts'

/** A request as the simulator saw it; `outcome` is the real one, even if its answer was lost. */
export type { Entry as LoggedRequest } from './ledger.ts'

/** The simulator's totals of an authorization, which our own record must agree with. */
export type HeldAuthorization = Held & { gatewayAuthorizationId: string }

export interface SimulatorLog {
  /** Oldest first. */
  requests: Entry[]
  authorizations: HeldAuthorization[]
  /** The notifications of the requests' payments, ordered by due date. */
  notifications: LedgerNotification[]
}

/** Selects entries that meet all of these; an empty filter selects the whole log. */
export interface SimulatorLogFilter {
  reference?: string
  invoiceId?: string
  authorizationId?: string
}

const REQUESTS = `simulator.request as r where ($1::text is null or reference = $1)
  and ($2::text is null or invoice_id = $2) and ($3::text is null or gateway_authorization_id = $3)`

/** Reads the simulator's ledger, as an independent check for tests and benchmarks, never for the product. */
export async function readSimulatorLog(execute: Execute, filter: SimulatorLogFilter = {}): Promise<SimulatorLog> {
  const parameters = [filter.reference ?? null, filter.invoiceId ?? null, filter.authorizationId ?? null]
  const read = async <T>(sql: string) => (await execute(sql, parameters)).map(({ entry }) => objectOf<T>(entry))
  return {
    requests: await read(`select to_jsonb(r) as entry from ${REQUESTS} order by asked_at, reference`),
    authorizations: await read(
      `select to_jsonb(a) || jsonb_build_object('gateway_authorization_id', id) as entry
         from simulator.held_authorization as a
        where id in (select gateway_authorization_id from ${REQUESTS}) order by id`,
    ),
    notifications: await read(
      `select to_jsonb(n) as entry from simulator.notification as n
        where invoice_id in (select invoice_id from ${REQUESTS}) order by due_at, id`,
    ),
  }
}
