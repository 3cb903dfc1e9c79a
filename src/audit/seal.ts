import type { Vault } from '../vault/vault.ts'

/** A seal as it is stored; it covers entries of one project, or of the service where that is null. */
export interface AuditSeal {
  projectId: string | null
  number: number
  previousHash: string | null
  /** The numbers of the entries that it covers, in ascending order. */
  entries: readonly string[]
  sealedAt: string
  hash: string
}

/**
 * The condition on the seals of a project, or of the service, with the project as its parameter where there is one. In two
 * spellings, because PostgreSQL finds no index for "is not distinct from", and seals are kept for good.
 */
export function isOf(projectId: string | null): string {
  return projectId === null ? 'project_id is null' : 'project_id = ?'
}

/**
 * What the hash of a seal must be. It stands for its predecessor, and so for all before it, and through the hashes for
 * everything that its entries say.
 *
 * @param entryHashes of its entries, in their order.
 */
export function sealHash(
  vault: Pick<Vault, 'sealAudit'>,
  { projectId, number, previousHash, entries, sealedAt }: Omit<AuditSeal, 'hash'>,
  entryHashes: readonly string[],
): string {
  const head = ['holdfast audit seal 1', projectId ?? 'service', number, previousHash ?? '', sealedAt, entries.join()]
  return vault.sealAudit([...head, ...entryHashes].join('\n'))
}
