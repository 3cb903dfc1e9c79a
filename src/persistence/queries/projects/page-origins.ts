import type { Orm } from '../../orm.ts'
import { execute } from '../../statements.ts'

/** The origins whose pages may show the card form of a project; none for a project that allows all, or does not exist. */
export async function findPageOrigins(orm: Orm, projectId: string): Promise<readonly string[]> {
  const [found] = await execute<{ origins: string[] }>(
    orm,
    'select page_origins as origins from project where id = $1',
    [projectId],
  )
  return found?.origins ?? []
}
