import { randomBytes } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { processStartMark, waitUntil } from './process-table.ts'
import { type Progress, StartupError } from './startup-error.ts'

/** A stop drains requests (35 s), then gateway calls (30 s), then ends the servers; the next start waits that long. */
const STOPPING_WAIT_MS = 90_000
/** Time in which an instance whose npm was killed notices that and says that it is stopping. */
const NOTICE_WAIT_MS = 3_000

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
  while (!(await tryToTake(file, own))) await waitForHolder(file, path, options)
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
  { log, signal, noticeWaitMs = NOTICE_WAIT_MS }: TakeDataFolderOptions,
): Promise<void> {
  const current = async () => {
    const lock = await readLock(file)
    return lock !== undefined && isAlive(lock) ? lock : undefined
  }
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
  await removeAbandoned(file)
}

/**
 * Two starting instances may both find the same abandoned lock. Whoever moves it away looks at what it got: if
 * the other one has taken the folder in between, its lock is put back. Where a third one has taken the folder before
 * that, the third one puts it back, which finds it where it was moved to.
 */
async function removeAbandoned(file: string): Promise<void> {
  const moved = `${movedFrom(file)}${randomBytes(4).toString('hex')}`
  try {
    await rename(file, moved)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const lock = await readLock(moved)
  if (lock !== undefined && isAlive(lock) && !(await isLinked(moved, file).catch(() => false))) return
  await rm(moved, { force: true })
}

/** A lock that was moved away although its holder lives takes the place of the one that came after it. */
async function putBackMoved(file: string): Promise<void> {
  for (const name of await readdir(dirname(file))) {
    if (!name.startsWith(basename(movedFrom(file)))) continue
    const moved = join(dirname(file), name)
    const lock = await readLock(moved)
    // Whoever has moved it may have put it back in the meantime.
    if (lock !== undefined && isAlive(lock)) await rename(moved, file).catch(() => undefined)
    else await rm(moved, { force: true })
  }
}

const movedFrom = (file: string) => `${file}.moved-`

async function tryToTake(file: string, lock: Lock): Promise<boolean> {
  const prepared = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(prepared, JSON.stringify(lock), { mode: 0o600 })
  try {
    if (!(await isLinked(prepared, file))) return false
    await putBackMoved(file)
    return sameHolder(await readLock(file), lock)
  } finally {
    await rm(prepared, { force: true })
  }
}

/** Whether the file has got the other name: with its content or not at all, and never over another file. */
async function isLinked(file: string, name: string): Promise<boolean> {
  try {
    await link(file, name)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function replace(file: string, lock: Lock): Promise<void> {
  const prepared = `${file}.${randomBytes(4).toString('hex')}`
  await writeFile(prepared, JSON.stringify(lock), { mode: 0o600 })
  await rename(prepared, file)
}

async function readLock(file: string): Promise<Lock | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Lock
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
