import type { EntityManager } from '../../src/persistence/orm.ts'

/** What the database itself wrote down of requests that were admitted together. */
export interface LoggedAdmission {
  count: number
  /** When the limiter admitted them: the instant that it decided by, in microseconds since the epoch. */
  admittedAtUs: number
  /** When it was written down, still under the lock of the bucket. */
  loggedAtUs: number
  /** The name that the process had given its connection. */
  caller: string
}

/**
 * Has PostgreSQL write down every request that the limiter admits, in the database transaction that admits it: what a
 * process was granted is in the books even where the process is killed before it hears of it. The service's own function
 * runs as it is, inside; the instant by which it decided follows from when the bucket will be full.
 *
 * The callers' clocks would not do: what they see is when an answer arrived. Requests that were admitted a second apart
 * arrive together where the process between was busy, and a window over arrivals then holds more than any limiter
 * has admitted in it.
 */
const INSTALL = `
  create unlogged table admission (
    id bigint generated always as identity primary key,
    count integer not null,
    admitted_at_us bigint not null,
    logged_at_us bigint not null,
    caller text not null
  );
  alter function take_requests(text, text, integer, integer, bigint) rename to take_requests_of_the_service;
  create function take_requests(
    asked_kind text, asked_subject text, asked_limit integer, asked_count integer default 1,
    asked_now_us bigint default null
  ) returns table (
    place integer, is_allowed boolean, remaining integer, more_in_us bigint
  ) language plpgsql rows 8 as $$
  declare
    admitted integer := 0;
  begin
    for place, is_allowed, remaining, more_in_us in
      select * from take_requests_of_the_service(asked_kind, asked_subject, asked_limit, asked_count, asked_now_us)
    loop
      admitted := admitted + is_allowed::integer;
      return next;
    end loop;
    insert into admission (count, admitted_at_us, logged_at_us, caller)
    select admitted, bucket.theoretical_arrival_us - more_in_us - ceil(60000000.0 / asked_limit) * (asked_limit - remaining - 1),
           (extract(epoch from clock_timestamp()) * 1000000)::bigint, current_setting('application_name')
    from rate_limit_bucket bucket
    where admitted > 0 and bucket.kind = asked_kind and bucket.subject = asked_subject;
  end
  $$;`

/** Connections that were made before may go on as before. */
export async function installAdmissionLog(em: EntityManager): Promise<void> {
  await em.execute(INSTALL)
}

/** Everything that was admitted, in the order in which the lock of the bucket was held. */
export async function readAdmissions(em: EntityManager): Promise<LoggedAdmission[]> {
  const rows = await em.execute<{ count: number; admitted_at_us: string; logged_at_us: string; caller: string }[]>(
    'select count, admitted_at_us, logged_at_us, caller from admission order by id',
  )
  return rows.map((row) => ({
    count: row.count,
    admittedAtUs: Number(row.admitted_at_us),
    loggedAtUs: Number(row.logged_at_us),
    caller: row.caller,
  }))
}

/** How many requests they are, all together. */
export function countAdmitted(admissions: readonly LoggedAdmission[]): number {
  return admissions.reduce((sum, { count }) => sum + count, 0)
}
