import type { EntityManager } from '../../orm.ts'

/** The results of this database's keys for a fixed text, by key name. */
export async function findKeyProofs(em: EntityManager): Promise<ReadonlyMap<string, string>> {
  const rows = await em.execute<{ name: string; proof: string }[]>('select name, proof from service_key')
  return new Map(rows.map(({ name, proof }) => [name, proof]))
}

/** Makes others who add keys wait until the caller's database transaction ends; readers do not wait. */
export async function lockKeyProofs(em: EntityManager): Promise<void> {
  await em.execute('lock table service_key in share row exclusive mode')
}

/** Adds missing proofs; existing ones stay. */
export async function addKeyProofs(em: EntityManager, proofs: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, proof] of proofs) {
    await em.execute('insert into service_key (name, proof) values (?, ?) on conflict do nothing', [name, proof])
  }
}

export async function deleteKeyProofs(em: EntityManager, names: readonly string[]): Promise<void> {
  for (const name of names) await em.execute('delete from service_key where name = ?', [name])
}
