import type { EntityManager } from '../persistence/orm.ts'
import type { Vault } from '../vault/vault.ts'
import { type ChainCounts, verifyChains } from './verify-chains.ts'
import { type CheckpointCounts, verifyCheckpoints } from './verify-checkpoints.ts'

export interface Verification extends ChainCounts, CheckpointCounts {
  faults: number
}

export interface VerifyRequest {
  /** Null verifies everything. */
  projectId: string | null
  /** Hashes of checkpoints that were written down elsewhere. */
  expected: readonly string[]
}

/**
 * Verifies the audit log: its chains, its checkpoints, and the rows against them. Everything is read as of
 * one instant, a batch at a time, without functions of the database. Payments go on meanwhile.
 *
 * @param em in a database transaction in which nothing was asked yet.
 * @param report is given each fault as it is found, in words.
 */
export async function verifyAudit(
  em: EntityManager,
  vault: Pick<Vault, 'signCheckpoint'>,
  { projectId, expected }: VerifyRequest,
  report: (fault: string) => void,
): Promise<Verification> {
  let faults = 0
  const count = (fault: string) => {
    faults += 1
    report(fault)
  }
  await em.execute('set transaction isolation level repeatable read, read only')
  const chains = await verifyChains(em, projectId, count)
  const checkpoints = await verifyCheckpoints(em, vault, { projectId, expected }, count)
  return { ...chains, ...checkpoints, faults }
}
