import { PERSON_LIMIT } from '../../domain/rate-limits.ts'
import type { Role } from '../../domain/role.ts'
import type { Orm } from '../persistence/orm.ts'
import { execute } from '../persistence/statements.ts'
import { type AdmittedProject, type ProjectColumns, projectOf, type Usage, type UsageRow, usageOf } from './buckets.ts'

/** Without a call for so long a session ends. Source: PCI DSS 4.0.1, requirement 8.2.8. */
export const SESSION_IDLE_SECONDS = 15 * 60

/** However much it is used, a session ends after a working day. */
export const SESSION_SECONDS = 12 * 60 * 60

/** The session of a request, with the usage of the person's limit. */
export interface AdmittedPerson {
  personId: string
  endsAt: Date
  /** Whether the person has something beside the password. */
  hasSecondFactor: boolean
  /** Whether the session has been confirmed by it. */
  isConfirmed: boolean
  /** Null where the person does not belong to the project, or none was named. */
  member: (AdmittedProject & { role: Role; requiresSecondFactor: boolean }) | null
  usage: Usage
}

interface PersonColumns extends UsageRow {
  person_id: string
  /** Epoch ms. */
  ends_at: number
  has_second_factor: boolean
  is_confirmed: boolean
  requires_second_factor: boolean
  role: Role | null
}

/**
 * Finds the session with this hash, and what its person is in the project; all processes share the row, so that the end of a
 * session and another role hold from the next request on. A statement of its own: the one for secret keys stays as it is.
 */
const ADMIT = `
  with session as materialized (
    select session.token_hash, session.person_id, session.ends_at, session.second_factor_at is not null as is_confirmed,
           person.totp_ciphertext is not null
             or exists (select from person_passkey passkey where passkey.person_id = person.id) as has_second_factor
      from person_session session join person on person.id = session.person_id
     where session.token_hash = $1 and session.ends_at > $3::timestamptz and person.disabled_at is null
       and session.last_used_at > $3::timestamptz - make_interval(secs => ${SESSION_IDLE_SECONDS})
  ), used as (
    -- Exact to the minute only, as for secret keys: the calls of one page need not wait for one another.
    update person_session set last_used_at = $3 from session
     where person_session.token_hash = session.token_hash
       and person_session.last_used_at < $3::timestamptz - interval '1 minute'
  )
  select session.person_id, session.has_second_factor, session.is_confirmed, member.role,
         extract(epoch from session.ends_at)::float8 * 1000 as ends_at,
         project.id as project_id, project.suspended_at is not null as is_suspended, project.allows_client_captures,
         project.allows_client_overrides, project.allows_client_amounts, project.requires_second_factor,
         'person' as kind, ${PERSON_LIMIT} as "limit", taken.*
    from session
    left join project_member member on member.person_id = session.person_id and member.project_id = $2
    left join project on project.id = member.project_id,
    -- Who only knows the password takes no calls from the person.
    lateral take_requests('person', session.person_id
      || case when session.has_second_factor and not session.is_confirmed then ' half' else '' end,
      ${PERSON_LIMIT}) taken`

/**
 * @param projectId null for a call about no project.
 * @returns null where there is no such session, it has ended, or its person is disabled.
 */
export async function admitPerson(
  orm: Orm,
  { tokenHash, projectId, now }: { tokenHash: string; projectId: string | null; now: Date },
): Promise<AdmittedPerson | null> {
  const [row] = await execute<PersonColumns & ProjectColumns>(orm, ADMIT, [tokenHash, projectId, now])
  if (row === undefined) return null
  return {
    personId: row.person_id,
    endsAt: new Date(row.ends_at),
    hasSecondFactor: row.has_second_factor,
    isConfirmed: row.is_confirmed,
    member:
      row.role === null
        ? null
        : { ...projectOf(row), role: row.role, requiresSecondFactor: row.requires_second_factor },
    usage: usageOf(row),
  }
}
