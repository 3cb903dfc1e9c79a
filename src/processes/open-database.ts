import { StartupError } from '../embedded/startup-error.ts'
import { createOrm, type Orm } from '../persistence/orm.ts'

/** @throws StartupError when the database does not answer. */
export async function openDatabase(databaseUrl: string): Promise<Orm> {
  const orm = await createOrm({ databaseUrl })
  try {
    await orm.connect()
    return orm
  } catch (error) {
    await orm.close(true)
    const { message, code } = error as NodeJS.ErrnoException
    // The host only: the address holds a password. A name with several addresses fails without a message.
    const { host } = new URL(databaseUrl)
    throw new StartupError(`PostgreSQL does not answer on ${host}: ${message || code}`, { cause: error })
  }
}
