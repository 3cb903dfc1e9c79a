import type { EntityManager } from '../../orm.ts'

/** What the keys of this database make of a fixed text, by their names. */
export async function findKeyProofs(em: EntityManager): Promise<ReadonlyMap<string, string>> {
  const rows = await em.execute<{ name: string; proof: string }[]>('select name, proof from service_key')
  return new Map(rows.map(({ name, proof }) => [name, proof]))
}

/**
 * Has others who would add keys wait until the end of the caller's database transaction; whoever reads waits for
 * nobody.
 */
export async function lockKeyProofs(em: EntityManager): Promise<void> {
  await em.execute('lock table service_key in share row exclusive mode')
}

/** Adds what is not there; what is there stays. */
export async function addKeyProofs(em: EntityManager, proofs: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, proof] of proofs) {
    await em.execute('insert into service_key (name, proof) values (?, ?) on conflict do nothing', [name, proof])
  }
}

export async function deleteKeyProofs(em: EntityManager, names: readonly string[]): Promise<void> {
  for (const name of names) await em.execute('delete from service_key where name = ?', [name])
}
