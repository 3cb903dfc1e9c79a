import { type AuditEntry, ENTRY_COLUMNS } from '../../src/audit/entry.ts'
import { type Verification, type VerifyRequest, verifyAudit } from '../../src/audit/verify.ts'
import { createVault } from '../../src/vault/vault.ts'
import type { TestDatabase } from './database.ts'
import { TEST_KEYS } from './keys.ts'

/** The entries of a chain in their order, or all as they were written. */
export function readLog({ orm }: TestDatabase, chain: string | null = null): Promise<AuditEntry[]> {
  const where = chain === null ? '' : 'where chain = ?'
  return orm.em
    .fork()
    .execute(
      `select ${ENTRY_COLUMNS} from audit_entry entry ${where} order by entry.number`,
      chain === null ? [] : [chain],
    )
}

/** What the verification finds wrong; nothing where all is well. */
export async function verified(database: TestDatabase, request: Partial<VerifyRequest> = {}): Promise<string[]> {
  return (await verification(database, request)).told
}

/** The same with what was verified. */
export async function verification(
  { orm }: TestDatabase,
  request: Partial<VerifyRequest> = {},
): Promise<Verification & { told: string[] }> {
  const told: string[] = []
  const vault = createVault(TEST_KEYS)
  const found = await orm.em
    .fork()
    .transactional((em) =>
      verifyAudit(em, vault, { projectId: null, expected: [], ...request }, (line) => told.push(line)),
    )
  return { ...found, told }
}
