import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Progress, StartupError } from '../startup-error.ts'
import { SECOND_INSTANCE } from './ports.ts'
import { waitUntil } from './wait-until.ts'

/** A stop drains requests (35 s), then gateway calls (30 s), then ends the servers; the next start waits that long. */
const STOPPING_WAIT_MS = 90_000
/** Time in which an instance whose npm was killed notices that and says that it is stopping. */
const NOTICE_WAIT_MS = 3_000

/** What the holder of a data folder says about itself. */
interface Holder {
  pid: number
  state: 'running' | 'stopping'
}

export interface TakeDataFolderOptions {
  log: Progress
  /** Aborted, it gives up waiting. */
  signal?: AbortSignal | undefined
  /** How long an instance that runs may take to say that it is stopping. */
  noticeWaitMs?: number
}

/** The right to use a data folder; one process has it at a time. */
export interface DataFolder {
  path: string
  /** Tells the next instance to wait instead of giving up. */
  announceStop(): Promise<void>
  /** Last of all: afterwards the next instance may start. */
  release(): Promise<void>
}

/**
 * Makes the folder where it is missing and takes it for this process. The right is a lock of SQLite on an empty file: the
 * operating system drops it with the process that held it, however that ended. An instance that is stopping is waited for.
 *
 * @throws StartupError when another instance keeps running in it, or the folder cannot be written.
 */
export async function takeDataFolder(path: string, options: TakeDataFolderOptions): Promise<DataFolder> {
  await makeFolder(path)
  const holderFile = join(path, 'instance.json')
  const say = (state: Holder['state']) =>
    writeFileSync(holderFile, JSON.stringify({ pid: process.pid, state } satisfies Holder), { mode: 0o600 })
  const lockFile = join(path, 'instance.lock')
  // Who can read it can lock it.
  writeFileSync(lockFile, '', { flag: 'a' })
  chmodSync(lockFile, 0o600)
  const lock = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    await takeLock(lock, path, () => readHolder(holderFile), options)
  } catch (error) {
    lock.close()
    throw error
  }
  say('running')
  return {
    path,
    announceStop: async () => say('stopping'),
    release: async () => {
      rmSync(holderFile, { force: true })
      lock.close()
    },
  }
}

async function takeLock(
  lock: DatabaseSync,
  path: string,
  holder: () => Holder | undefined,
  { log, signal, noticeWaitMs = NOTICE_WAIT_MS }: TakeDataFolderOptions,
): Promise<void> {
  let isOurs = false
  const tryToTake = () => {
    isOurs = isLocked(lock)
    return isOurs
  }
  await waitUntil(() => tryToTake() || holder()?.state === 'stopping', noticeWaitMs, signal)
  if (!isOurs && holder()?.state === 'stopping') {
    log(`Waiting for the instance that is stopping (process ${holder()?.pid})`)
    await waitUntil(() => tryToTake() || holder()?.state === 'running', STOPPING_WAIT_MS, signal)
  }
  if (isOurs) return
  const { state = 'running', pid = 'unknown' } = holder() ?? {}
  throw new StartupError(`Holdfast is already ${state} on ${path} (process ${pid}); stop it, or ${SECOND_INSTANCE}.`)
}

/** SQLite's result code for a lock that somebody else has: https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5

/** Whether this process has the lock now. Nothing is ever written into the file. */
function isLocked(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false
    throw error
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    // Other users, such as the one that runs PostgreSQL for root, may pass through but not look around.
    await mkdir(path, { recursive: true, mode: 0o711 })
    await mkdir(join(path, 'logs'), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StartupError(`The data folder ${path} cannot be made: ${(error as Error).message}.`, { cause: error })
  }
}
