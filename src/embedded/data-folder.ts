import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Progress, StartupError } from '../startup-error.ts'
import { processStartMark, waitUntil } from './process-table.ts'

/** A stop drains requests (35 s), then gateway calls (30 s), then ends the servers; the next start waits that long. */
const STOPPING_WAIT_MS = 90_000
/** Time in which an instance whose npm was killed notices that and says that it is stopping. */
const NOTICE_WAIT_MS = 3_000
/** Removing an abandoned lock takes milliseconds; a machine that does other things takes its time. */
const TAKEOVER_WAIT_MS = 10_000

/** What the holder of a data folder says about itself. */
interface Lock {
  pid: number
  /** Tells the holder from a later process with the same id. */
  startMark: string
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
 * Makes the folder where it is missing and takes it for this process. An instance that is stopping is waited for;
 * the lock of one that was killed is taken over.
 *
 * @throws StartupError when another instance keeps running in it, or the folder cannot be written.
 */
export async function takeDataFolder(path: string, options: TakeDataFolderOptions): Promise<DataFolder> {
  const file = join(path, 'instance.lock')
  await makeFolder(path)
  const own: Lock = { pid: process.pid, startMark: processStartMark(process.pid) ?? '', state: 'running' }
  while (!(await tryToTake(file, own))) await waitForHolder(file, path, own, options)
  const isOurs = async () => sameHolder(await readLock(file), own)
  return {
    path,
    announceStop: async () => {
      if (await isOurs()) await replace(file, { ...own, state: 'stopping' })
    },
    release: async () => {
      if (await isOurs()) await rm(file, { force: true })
    },
  }
}

/** Returns when nobody holds the lock any more. */
async function waitForHolder(
  file: string,
  path: string,
  own: Lock,
  { log, signal, noticeWaitMs = NOTICE_WAIT_MS }: TakeDataFolderOptions,
): Promise<void> {
  const current = () => readLivingLock(file)
  const first = await current()
  if (first !== undefined) {
    await waitUntil(async () => (await current())?.state !== 'running', noticeWaitMs, signal)
    if ((await current())?.state === 'stopping') {
      log(`Waiting for the instance that is stopping (process ${first.pid})`)
      await waitUntil(async () => (await current()) === undefined, STOPPING_WAIT_MS, signal)
    }
    const last = await current()
    if (last !== undefined) {
      throw new StartupError(
        `Holdfast is already ${last.state} on ${path} (process ${last.pid}); stop it, or set DATA_DIR, PORT and TEMPORAL_UI_PORT for a second instance.`,
      )
    }
  }
  await removeAbandoned(file, own, signal)
}

/**
 * Several starting instances may find the same abandoned lock. Only the holder of a second lock removes it, and looks
 * again before: an abandoned lock that is still there is nobody's by then, because none is ever put over another. A second
 * lock that was abandoned itself is removed in the same way.
 */
async function removeAbandoned(file: string, own: Lock, signal: AbortSignal | undefined): Promise<void> {
  const takeover = `${file}.takeover`
  if (await tryToTake(takeover, own)) {
    try {
      if (await isAbandoned(file)) await rm(file)
    } finally {
      await rm(takeover)
    }
    return
  }
  if (await isAbandoned(takeover)) return removeAbandoned(takeover, own, signal)
  await waitUntil(async () => (await readLivingLock(takeover)) === undefined, TAKEOVER_WAIT_MS, signal)
  const other = await readLivingLock(takeover)
  if (other !== undefined) {
    throw new StartupError(
      `Another instance is starting on ${dirname(file)} and does not go on (process ${other.pid}); end it, and start again.`,
    )
  }
}

/** Whether there is a lock, and it is damaged or of a process that is gone. */
async function isAbandoned(file: string): Promise<boolean> {
  try {
    const lock = parseLock(await readFile(file, 'utf8'))
    return lock === undefined || !isAlive(lock)
  } catch (error) {
    // There is none, and whoever links one now must keep it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

async function tryToTake(file: string, lock: Lock): Promise<boolean> {
  const prepared = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(prepared, JSON.stringify(lock), { mode: 0o600 })
  try {
    // A hard link appears with its content or not at all, and never over another file.
    await link(prepared, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(prepared, { force: true })
  }
}

async function replace(file: string, lock: Lock): Promise<void> {
  const prepared = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(prepared, JSON.stringify(lock), { mode: 0o600 })
  await rename(prepared, file)
}

async function readLivingLock(file: string): Promise<Lock | undefined> {
  const lock = await readLock(file)
  return lock !== undefined && isAlive(lock) ? lock : undefined
}

async function readLock(file: string): Promise<Lock | undefined> {
  try {
    return parseLock(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

function parseLock(text: string): Lock | undefined {
  try {
    return JSON.parse(text) as Lock
  } catch {
    return undefined
  }
}

function isAlive(lock: Lock): boolean {
  return lock.startMark !== '' && processStartMark(lock.pid) === lock.startMark
}

function sameHolder(lock: Lock | undefined, own: Lock): boolean {
  return lock?.pid === own.pid && lock.startMark === own.startMark
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
