/** `npm run schema`: writes src/database/schema.sql, from a database of its own that it migrates. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../src/database/migrator.ts'
import { startPostgres } from '../src/embedded/postgres.ts'
import { createOrm } from '../src/persistence/orm.ts'
import { runWithoutOptions } from '../src/processes/command-line.ts'
import { readSchema } from './schema/read-schema.ts'

const FILE = 'src/database/schema.sql'

process.exitCode = await runWithoutOptions({
  name: 'schema',
  about: `Writes ${FILE}, from a database of its own that it migrates.`,
  run: writeSchema,
})

async function writeSchema(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-schema-'))
  try {
    const postgres = await startPostgres({ folder, durable: false, log: () => undefined })
    try {
      const orm = await createOrm({ databaseUrl: postgres.url })
      await migrate(orm)
      await writeFile(new URL(`../${FILE}`, import.meta.url), await readSchema(orm.em.fork()))
      await orm.close(true)
    } finally {
      await postgres.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  console.log(FILE)
}
