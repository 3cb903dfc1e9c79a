import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { saySkipped } from '../skipped.ts'

/** Stripe's own server for tests, which checks requests against its published description of the interface. */
const MODULE = 'github.com/stripe/stripe-mock'
const VERSION = 'v0.203.0'

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url))

/** The first build downloads and compiles; later runs find the program in the cache. */
const BUILD_TIMEOUT_MS = 300_000
const START_TIMEOUT_MS = 120_000

const UNCHECKED = 'the shapes of requests to Stripe, which stripe-mock checks'

export interface StripeMock {
  url: string
  close(): Promise<void>
}

/** Null, said aloud, where Go is missing, its modules cannot be had, or the program does not start in time. */
export async function startStripeMock(): Promise<StripeMock | null> {
  try {
    return await start(await findProgram())
  } catch (error) {
    saySkipped(UNCHECKED, error instanceof Error ? error.message : 'stripe-mock cannot be had')
    return null
  }
}

async function findProgram(): Promise<string> {
  const program = join(CACHE, `stripe-mock-${VERSION}`)
  if (existsSync(program)) return program
  // Two runs may build at once: each in a folder of its own, and a rename puts the whole file in place.
  const folder = join(CACHE, `stripe-mock-${process.pid}`)
  await mkdir(folder, { recursive: true })
  try {
    const build = spawn('go', ['install', `${MODULE}@${VERSION}`], {
      // Go may not fetch another version of itself for it.
      env: { ...process.env, GOBIN: folder, GOTOOLCHAIN: 'local' },
      stdio: 'ignore',
      detached: true,
    })
    const code = await endOf(build, BUILD_TIMEOUT_MS)
    if (code === 'ENOENT') throw new Error('Go is not installed')
    if (code !== 0) throw new Error(`go install ${MODULE}@${VERSION} ended with ${code}`)
    await rename(join(folder, 'stripe-mock'), program)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return program
}

/** How a program ended; with all that it has started it is killed when its time is over. */
async function endOf(child: ChildProcess, timeoutMs: number): Promise<string | number> {
  const waiting = new AbortController()
  const ended = once(child, 'exit').then(
    ([code, signal]) => (code ?? signal) as string | number,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  )
  const tooLate = sleep(timeoutMs, 'too late' as const, { signal: waiting.signal }).catch(() => 'stopped' as const)
  const first = await Promise.race([ended, tooLate])
  waiting.abort()
  if (first !== 'too late' || child.pid === undefined) return first
  process.kill(-child.pid, 'SIGKILL')
  return `nothing after ${timeoutMs / 1000} s`
}

async function start(program: string): Promise<StripeMock> {
  const child = spawn(program, ['-http-addr', '127.0.0.1:', '-https-addr', '127.0.0.1:'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit').catch(() => [])
  const tooLate = AbortSignal.timeout(START_TIMEOUT_MS)
  const lines = createInterface({ input: child.stdout, signal: tooLate })
  for await (const line of lines) {
    const port = /HTTP at address: 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (port === undefined) continue
    child.stdout.resume()
    return {
      url: `http://127.0.0.1:${port}`,
      async close() {
        child.kill()
        await ended
      },
    }
  }
  child.kill('SIGKILL')
  throw new Error(`stripe-mock ${tooLate.aborted ? 'did not listen in time' : 'ended before it listened'}`)
}
