import { appendFile, copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type RunningPostgres, startPostgres } from '../../src/embedded/postgres.ts'
import { findPostgres, openPostgresHome } from '../../src/embedded/postgres-program.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { addFile, askPostgres, dataFolderOf, makeBaseBackup } from '../support/base-backup.ts'
import { postgresProgram } from '../support/processes/programs.ts'
import type { Program } from '../support/processes/supervised.ts'
import { waitFor } from '../support/wait-for.ts'

/** The name of the standby, and of the place in the log of changes from which the primary keeps everything for it. */
const NAME = 'standby'

/** Longer than a cell: it applies what it receives when it is promoted, and not before. */
const APPLIES_LATE = '1h'

/** How the primary keeps everything that it confirms on the standby's disk as well. It waits for nothing to be applied there. */
const SYNCHRONOUS = [`alter system set synchronous_standby_names = '${NAME}'`, 'select pg_reload_conf()']

/** A PostgreSQL that receives all changes of another one, the primary, and lags behind. */
export interface Standby {
  /** How many bytes of changes it has received and not applied. Throws an error where there are none. */
  unapplied(): Promise<number>
  /** Takes the primary's place, once the primary is gone. */
  successor: Program
}

/** Resolves when the primary confirms nothing that the standby has not on its disk. */
export async function startStandby(
  primaryUrl: string,
  folder: string,
  { add, signal }: Pick<Shutdown, 'add' | 'signal'>,
): Promise<Standby> {
  const silent = () => undefined
  await mkdir(folder, { mode: 0o711 })
  const home = (await openPostgresHome(folder, findPostgres(), silent)).folder
  const data = join(home, 'cluster')
  await copyFile(join(dirname(await dataFolderOf(primaryUrl)), 'password'), join(home, 'password'))
  await askPostgres(primaryUrl, `select pg_create_physical_replication_slot('${NAME}', true)`)
  await makeBaseBackup(primaryUrl, data)
  const settings = {
    primary_conninfo: `${primaryUrl}?application_name=${NAME}`,
    primary_slot_name: NAME,
    recovery_min_apply_delay: APPLIES_LATE,
  }
  const lines = Object.entries(settings).map(([name, value]) => `\n${name} = '${value}'`)
  await appendFile(join(data, 'postgresql.conf'), lines.join(''))
  await addFile(data, 'standby.signal')

  let server: RunningPostgres | null = await startPostgres({ folder, signal, log: silent })
  const { url } = server
  add({ name: 'The standby', stop: async () => server?.kill(), kill: async () => server?.kill() })
  await askPostgres(primaryUrl, ...SYNCHRONOUS)
  const isSynchronous = `select from pg_stat_replication where application_name = '${NAME}' and sync_state = 'sync'`
  await waitFor(() => askPostgres(primaryUrl, isSynchronous))

  const inPlace = postgresProgram({ folder, port: Number(new URL(primaryUrl).port), started: silent })
  return {
    async unapplied() {
      const behind = 'select (pg_last_wal_receive_lsn() - pg_last_wal_replay_lsn())::int as bytes'
      const { bytes } = await askPostgres<{ bytes: number }>(url, behind)
      if (bytes === 0) throw new Error('The standby does not lag.')
      return bytes
    },
    successor: {
      ...inPlace,
      async start() {
        if (server !== null) {
          // Nobody waits in a session: its snapshot would hold up what is applied, such as the end of a vacuum.
          await askPostgres(url, 'select pg_promote(false) where pg_is_in_recovery()')
          await waitFor(() => askPostgres(url, 'select where not pg_is_in_recovery()'))
          // To start again at the primary's address, which stands for the name or address that moves in production.
          await server.stop()
          server = null
        }
        return inPlace.start()
      },
    },
  }
}
