import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../src/embedded/ports.ts'
import { obtainTemporalCli } from '../../src/embedded/temporal-cli.ts'
import { monotonicMs } from '../measure/clock.ts'
import type { PartContext } from '../parts/part.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Kept from run to run, and the same program that the tests use: what is downloaded once is no part of a start. */
const CLI_CACHE = fileURLToPath(new URL('../../.test-data/temporal-cli', import.meta.url))

/** Settings of the person who runs the bench that would change what is started. */
const OWN_SETTINGS = /^(DATABASE_URL|TEMPORAL_|POSTGRES_|PORT$|HOST$|DATA_DIR$|LOG_LEVEL$|NODE_COMPILE_CACHE$|npm_)/

/** A line that was printed, and the milliseconds since npm was called. */
export interface Line {
  at: number
  text: string
}

export interface NpmStart {
  /** Of npm; the service is one of its descendants. */
  pid: number
  /** What was printed until it was ready. */
  lines: Line[]
  baseUrl: string
  stop(): Promise<void>
}

/**
 * Runs `npm start` as a person does, on free ports and in a folder of its own, until it says that it is ready.
 *
 * @throws Error with what it has printed where it ends before.
 */
export async function npmStart(
  dataFolder: string,
  { logFile, say, shutdown, signal }: Pick<PartContext, 'logFile' | 'say' | 'shutdown' | 'signal'>,
): Promise<NpmStart> {
  const cliPath = await obtainTemporalCli({
    cacheFolder: CLI_CACHE,
    explicitPath: process.env.TEMPORAL_CLI_PATH,
    searchPath: false,
    signal,
    log: say,
  })
  const inherited = Object.entries(process.env).filter(([name]) => !OWN_SETTINGS.test(name))
  const env = {
    ...Object.fromEntries(inherited),
    DATA_DIR: dataFolder,
    PORT: '0',
    TEMPORAL_PORT: String(await freePort()),
    TEMPORAL_UI_PORT: String(await freePort()),
    TEMPORAL_CLI_PATH: cliPath,
    LOG_LEVEL: 'warn',
  }
  const log = createWriteStream(logFile, { flags: 'a' })
  const startedAt = monotonicMs()
  const child = spawn('npm', ['start'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  // Also where the part fails before it stops it by itself; what has ended is not asked again.
  shutdown.add({ name: 'npm start', stop })
  const lines: Line[] = []
  const ready = Promise.withResolvers<string>()
  const read = (text: string) => {
    lines.push({ at: monotonicMs() - startedAt, text })
    log.write(`${text}\n`)
    const address = /is ready after .* on (http\S+)\. /.exec(text)?.[1]
    if (address !== undefined) ready.resolve(address)
  }
  createInterface(child.stdout).on('line', read)
  createInterface(child.stderr).on('line', read)
  void exited.then(() =>
    ready.reject(new Error(`npm start has ended by itself:\n${lines.map(({ text }) => text).join('\n')}`)),
  )
  const baseUrl = await ready.promise
  return { pid: child.pid as number, lines, baseUrl, stop }
}
