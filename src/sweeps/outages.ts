import type { Logger } from '../logger.ts'
import { isDatabaseUnavailable, isStatementTimeout, unavailableReason } from '../persistence/database-error.ts'
import { isUnreachable } from '../temporal/unreachable.ts'

/** What does not work, told once when it begins and once when it is over, however many notice it and how often. */
export interface Outages {
  /** @param who tries again, such as "The sweep of payments". */
  failed(who: string, error: unknown): void
  worked(who: string): void
}

/** An outage of a server is one of that server, whoever notices it; it is over when one of those is served again. */
export function createOutages(logger: Logger): Outages {
  /** By server, or by who has failed for another reason. */
  const noticedBy = new Map<string, Set<string>>()
  return {
    failed(who, error) {
      const away = serverAway(error)
      const subject = away?.server ?? who
      const known = noticedBy.get(subject)
      noticedBy.set(subject, (known ?? new Set()).add(who))
      if (known !== undefined) return
      if (away === null) logger.error({ err: error }, `${who} has failed and is tried again`)
      else logger.error(`${away.server} does not answer: ${away.reason}`)
    },
    worked(who) {
      for (const [subject, by] of noticedBy) {
        if (!by.has(who)) continue
        noticedBy.delete(subject)
        logger.info(subject === who ? `${who} works again` : `${subject} answers again`)
      }
    },
  }
}

function serverAway(error: unknown): { server: string; reason: string } | null {
  if (isDatabaseUnavailable(error) && !isStatementTimeout(error))
    return { server: 'PostgreSQL', reason: unavailableReason(error) }
  if (isUnreachable(error)) return { server: 'Temporal', reason: String((error as Error).message).split('\n')[0] ?? '' }
  return null
}
