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
