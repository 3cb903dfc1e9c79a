import { ENVIRONMENTS } from '../../domain/environment.ts'
import type { Config } from '../../src/config.ts'
import type { Orm } from '../../src/persistence/orm.ts'
import { temporalIsAbsent } from '../../src/processes/core.ts'
import { StartupError } from '../../src/startup-error.ts'
import { connectTemporal } from '../../src/temporal/connection.ts'

/** How long after a rotation a process may still encrypt with the key of before. */
const LATE_MS = 60 * 60 * 1000

/**
 * Makes sure that no history needs a key of `PAYLOAD_KEYS`. Nobody can see in Temporal which key a history needs, but a run
 * that began after the key was replaced does not need it.
 *
 * @throws StartupError while Temporal keeps older runs, open or closed.
 */
export async function refuseNeededPayloadKey(
  { temporalAddress, temporalAccess }: Config,
  orm: Orm,
  keyId: string,
): Promise<void> {
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
    const needing = counts.reduce((sum, { count }) => sum + Number(count), 0)
    if (needing > 0)
      throw new StartupError(
        `${keyId} may be needed for ${needing} histories that began before it was replaced. Try again when Temporal keeps them no longer.`,
      )
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
