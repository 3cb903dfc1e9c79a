import { createHash } from 'node:crypto'

/** An entry of the audit log as it is stored. Numbers and hashes are texts: 64 bits and 32 bytes, in hexadecimal digits. */
export interface AuditEntry {
  number: string
  chain: string
  position: number
  projectId: string | null
  sandbox: boolean | null
  kind: string
  actor: string
  facts: string
  occurredAt: string
  previousHash: string | null
  hash: string
}

/** The columns of an entry under the names of its properties. */
export const ENTRY_COLUMNS = `entry.number::text as number, entry.chain, entry.position, entry.project_id as "projectId",
  entry.sandbox, entry.kind, entry.actor, entry.facts, entry.occurred_at as "occurredAt",
  encode(entry.previous_hash, 'hex') as "previousHash", encode(entry.hash, 'hex') as hash`

/**
 * What the hash of an entry must be, found without the function of the database that has written it. The facts come last:
 * every other field is one line.
 */
export function hashOf(entry: Omit<AuditEntry, 'hash'>): string {
  const lines = [
    'holdfast audit entry 1',
    entry.number,
    entry.chain,
    entry.position,
    entry.projectId ?? '',
    entry.sandbox ?? '',
    entry.kind,
    entry.actor,
    entry.occurredAt,
    entry.previousHash ?? '',
    entry.facts,
  ]
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
