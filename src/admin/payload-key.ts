import { ENVIRONMENTS } from '../../domain/environment.ts'
import type { Config } from '../config.ts'
import type { Orm } from '../persistence/orm.ts'
import { temporalIsAbsent } from '../processes/core.ts'
import { connectTemporal } from '../temporal/connection.ts'

/** How long after a rotation a process may still encrypt with the key of before. */
const LATE_MS = 60 * 60 * 1000

/**
 * Says why a key has to stay in `PAYLOAD_KEYS`; null where it has not. Nobody can see in Temporal which keys a history needs:
 * it may need those that were current when its run began or later.
 *
 * @throws StartupError where Temporal does not answer.
 */
export async function whyPayloadKeyStays(
  { temporalAddress, temporalAccess }: Config,
  orm: Orm,
  keyId: string,
): Promise<string | null> {
  if (temporalAddress === undefined)
    return `${keyId} stays in PAYLOAD_KEYS: without TEMPORAL_ADDRESS it is unknown whether histories need it.`
  const before = new Date((await replacedAt(orm, keyId)).getTime() + LATE_MS).toISOString()
  const { connection, close } = await connectTemporal(temporalAddress, temporalAccess).catch(
    temporalIsAbsent(temporalAddress),
  )
  try {
    const counts = await Promise.all(
      ENVIRONMENTS.map((environment) =>
        connection.workflowService.countWorkflowExecutions({
          namespace: temporalAccess.namespaces[environment],
          query: `StartTime < '${before}'`,
        }),
      ),
    )
    const needing = counts.reduce((sum, { count }) => sum + Number(count), 0)
    if (needing === 0) return null
    return `${keyId} stays in PAYLOAD_KEYS: ${needing === 1 ? '1 history' : `${needing} histories`} that began before it was replaced may need it. Retire it again when Temporal keeps them no longer.`
  } finally {
    await close()
  }
}

/** When the key was replaced as the current one; now where no rotation is on record. */
async function replacedAt(orm: Orm, keyId: string): Promise<Date> {
  const [row] = await orm.em.fork().execute<{ at: string }[]>(
    `select max(occurred_at) as at from audit_entry
      where chain = 'service' and kind = 'keys.rotated' and facts::jsonb -> 'replaced_key_ids' @> to_jsonb(?::text)`,
    [keyId],
  )
  return row?.at == null ? new Date() : new Date(row.at)
}
