import { execFile } from 'node:child_process'
import { chown, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'

/** What belongs to the running server, and not into a copy. Source: PostgreSQL's page "Making a base backup using the low level API". */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'pg_stat_tmp']

/** Runs statements one after the other, and gives the first row of the last. */
export async function askPostgres<Row>(databaseUrl: string, ...statements: string[]): Promise<Row> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    let row: unknown
    for (const statement of statements) row = (await client.query(statement)).rows[0]
    return row as Row
  } finally {
    await client.end()
  }
}

/** Where a server's data lies. */
export async function dataFolderOf(databaseUrl: string): Promise<string> {
  const { data_directory: folder } = await askPostgres<{ data_directory: string }>(databaseUrl, 'show data_directory')
  return folder
}

/** Copies a server's data while it is in use, without the log of changes. */
export async function makeBaseBackup(databaseUrl: string, backup: string): Promise<void> {
  const data = await dataFolderOf(databaseUrl)
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query("select pg_backup_start('base', true)")
    await copyData(data, backup)
    const { rows } = await client.query('select labelfile from pg_backup_stop(true)')
    for (const name of NOT_COPIED) await rm(join(backup, name), { recursive: true, force: true })
    for (const name of ['pg_wal', 'pg_replslot', 'pg_stat_tmp']) {
      await mkdir(join(backup, name), { mode: 0o700 })
      await giveToOwnerOf(backup, join(backup, name))
    }
    await addFile(backup, 'backup_label', rows[0].labelfile)
  } finally {
    await client.end()
  }
}

/** Writes a file that the server may change. */
export async function addFile(data: string, name: string, text = ''): Promise<void> {
  await writeFile(join(data, name), text)
  await giveToOwnerOf(data, join(data, name))
}

export async function giveToOwnerOf(folder: string, path: string): Promise<void> {
  const { uid, gid } = await stat(folder)
  await chown(path, uid, gid)
}

/** A file may vanish while the data is copied; the log of changes knows of it. */
export async function copyData(from: string, to: string): Promise<void> {
  const { stderr } = await promisify(execFile)('cp', ['-a', from, to]).catch((error: { stderr: string }) => error)
  const others = stderr.split('\n').filter((line) => line !== '' && !line.includes('No such file or directory'))
  if (others.length > 0) throw new Error(others.join('\n'))
}
