import { spawnSync } from 'node:child_process'
import { appendFile, chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { type RunningPostgres, startPostgres } from '../../src/embedded/postgres.ts'
import { waitFor } from './wait-for.ts'

/** What belongs to the running server, and not into a copy. Source: PostgreSQL's page "Making a base backup using the low level API". */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'pg_stat_tmp']

/** PostgreSQL with its log of changes archived, as `docs/operations.md` has it set up. */
export interface BackedUpPostgres {
  url(): string
  /** Copies the data while it is in use. */
  backUp(): Promise<void>
  /** The instant of its clock, as text that it reads again. */
  now(): Promise<string>
  /** Ends it at once, with what it has not archived, and brings it back as it was at the instant. */
  restore(instant: string): Promise<void>
  stop(): Promise<void>
}

export async function startBackedUpPostgres(folder: string, port: number): Promise<BackedUpPostgres> {
  const [archive, backup] = [join(folder, 'archive'), join(folder, 'backup')]
  const start = () => startPostgres({ folder: join(folder, 'postgres'), port, log: () => undefined })
  let server: RunningPostgres = await start()
  const data = await ask<{ data_directory: string }>('show data_directory').then(({ data_directory: path }) => path)
  const owner = await stat(data)
  const give = (path: string) => chown(path, owner.uid, owner.gid)
  await mkdir(archive, { mode: 0o700 })
  await give(archive)
  // Renamed when it is whole: a copy that broke off must not look like a file of the archive.
  const [part, whole] = [`"${archive}/%f.part"`, `"${archive}/%f"`]
  const archiveCommand = `test ! -f ${whole} && cp "%p" ${part} && mv ${part} ${whole}`
  await appendFile(join(data, 'postgresql.conf'), `\narchive_mode = on\narchive_command = '${archiveCommand}'\n`)
  await server.stop()
  server = await start()

  async function ask<Row>(...statements: string[]): Promise<Row> {
    const client = new Client({ connectionString: server.url })
    await client.connect()
    try {
      let row: unknown
      for (const statement of statements) row = (await client.query(statement)).rows[0]
      return row as Row
    } finally {
      await client.end()
    }
  }

  /** All that is committed until now is in the archive. */
  const archiveAll = async () => {
    const { file } = await ask<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file')
    await waitFor(async () => (await readdir(archive)).includes(file))
  }

  return {
    url: () => server.url,
    now: async () => (await ask<{ now: string }>('select clock_timestamp()::text as now')).now,
    async backUp() {
      const client = new Client({ connectionString: server.url })
      await client.connect()
      try {
        await client.query("select pg_backup_start('drill', true)")
        copy(data, backup)
        const { rows } = await client.query('select labelfile from pg_backup_stop(true)')
        for (const name of NOT_COPIED) await rm(join(backup, name), { recursive: true, force: true })
        for (const name of ['pg_wal', 'pg_replslot', 'pg_stat_tmp']) {
          await mkdir(join(backup, name), { mode: 0o700 })
          await give(join(backup, name))
        }
        await writeFile(join(backup, 'backup_label'), rows[0].labelfile)
        await give(join(backup, 'backup_label'))
      } finally {
        await client.end()
      }
    },
    async restore(instant) {
      await archiveAll()
      await server.kill()
      await rm(data, { recursive: true })
      copy(backup, data)
      await appendFile(
        join(data, 'postgresql.conf'),
        [
          `\nrestore_command = 'cp "${archive}/%f" "%p"'`,
          `recovery_target_time = '${instant}'`,
          "recovery_target_action = 'promote'\n",
        ].join('\n'),
      )
      await writeFile(join(data, 'recovery.signal'), '')
      await give(join(data, 'recovery.signal'))
      server = await start()
    },
    async stop() {
      await server.stop()
      // Which is not always in the folder.
      await rm(dirname(data), { recursive: true })
    },
  }
}

/** A file may vanish while the data is copied; the log of changes knows of it. */
function copy(from: string, to: string): void {
  const { stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
  const others = stderr.split('\n').filter((line) => line !== '' && !line.includes('No such file or directory'))
  if (others.length > 0) throw new Error(others.join('\n'))
}
