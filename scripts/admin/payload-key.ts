import { ENVIRONMENTS } from '../../domain/environment.ts'
import type { Config } from '../../src/config.ts'
import type { Orm } from '../../src/persistence/orm.ts'
import { temporalIsAbsent } from '../../src/processes/core.ts'
import { StartupError } from '../../src/startup-error.ts'
import { connectTemporal } from '../../src/temporal/connection.ts'

/** How long after a rotation a process may still encrypt with the key of before. */
const LATE_MS = 60 * 60 * 1000

/**
 * Counts the histories that may need a key of `PAYLOAD_KEYS`: those of the runs, open or closed, that began before the key
 * was replaced. Nobody can see in Temporal which keys a history needs.
 *
 * @throws StartupError where Temporal is not known or does not answer.
 */
export async function countHistoriesOf(
  { temporalAddress, temporalAccess }: Config,
  orm: Orm,
  keyId: string,
): Promise<number> {
  if (temporalAddress === undefined)
    throw new StartupError(`TEMPORAL_ADDRESS is missing: histories in Temporal may need ${keyId}.`)
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
    return counts.reduce((sum, { count }) => sum + Number(count), 0)
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
