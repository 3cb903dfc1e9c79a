import { appendFile, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type RunningPostgres, startPostgres } from '../../src/embedded/postgres.ts'
import { addFile, askPostgres, copyData, dataFolderOf, giveToOwnerOf, makeBaseBackup } from './base-backup.ts'
import { waitFor } from './wait-for.ts'

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
  const data = await dataFolderOf(server.url)
  await mkdir(archive, { mode: 0o700 })
  await giveToOwnerOf(data, archive)
  // Renamed when it is whole: a copy that broke off must not look like a file of the archive.
  const [part, whole] = [`"${archive}/%f.part"`, `"${archive}/%f"`]
  const archiveCommand = `test ! -f ${whole} && cp "%p" ${part} && mv ${part} ${whole}`
  await appendFile(join(data, 'postgresql.conf'), `\narchive_mode = on\narchive_command = '${archiveCommand}'\n`)
  await server.stop()
  server = await start()

  /** All that is committed until now is in the archive. */
  const archiveAll = async () => {
    const { file } = await askPostgres<{ file: string }>(server.url, 'select pg_walfile_name(pg_switch_wal()) as file')
    await waitFor(async () => (await readdir(archive)).includes(file))
  }

  return {
    url: () => server.url,
    now: async () => (await askPostgres<{ now: string }>(server.url, 'select clock_timestamp()::text as now')).now,
    backUp: () => makeBaseBackup(server.url, backup),
    async restore(instant) {
      await archiveAll()
      await server.kill()
      await rm(data, { recursive: true })
      await copyData(backup, data)
      await appendFile(
        join(data, 'postgresql.conf'),
        [
          `\nrestore_command = 'cp "${archive}/%f" "%p"'`,
          `recovery_target_time = '${instant}'`,
          "recovery_target_action = 'promote'\n",
        ].join('\n'),
      )
      await addFile(data, 'recovery.signal')
      server = await start()
    },
    async stop() {
      await server.stop()
      // Which is not always in the folder.
      await rm(dirname(data), { recursive: true })
    },
  }
}
