import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../src/embedded/ports.ts'
import { obtainTemporalCli } from '../../../src/embedded/temporal-cli.ts'
import type { Shutdown } from '../../../src/shutdown.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Kept from run to run, and the same program that the tests use: what is downloaded once is no part of a start. */
const CLI_CACHE = fileURLToPath(new URL('../../../.test-data/temporal-cli', import.meta.url))

/** Settings of the person at the terminal that would change what is started. */
const OWN_SETTINGS = /^(DATABASE_URL|TEMPORAL_|POSTGRES_|PORT$|HOST$|DATA_DIR$|LOG_LEVEL$|NODE_COMPILE_CACHE$|npm_)/

/** The program of the embedded Temporal. */
export function obtainCli(log: (line: string) => void, signal: AbortSignal): Promise<string> {
  const explicitPath = process.env.TEMPORAL_CLI_PATH
  return obtainTemporalCli({ cacheFolder: CLI_CACHE, explicitPath, searchPath: false, signal, log })
}

export interface NpmStart {
  /** Of npm; the service is one of its descendants. */
  pid: number
  /** From the call of npm until it said that it is ready. */
  readyMs: number
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
  { logFile, say, shutdown }: { logFile: string; say(line: string): void; shutdown: Shutdown },
): Promise<NpmStart> {
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !OWN_SETTINGS.test(name))),
    DATA_DIR: dataFolder,
    PORT: '0',
    TEMPORAL_PORT: String(await freePort()),
    TEMPORAL_UI_PORT: String(await freePort()),
    TEMPORAL_CLI_PATH: await obtainCli(say, shutdown.signal),
    LOG_LEVEL: 'warn',
  }
  const log = createWriteStream(logFile, { flags: 'a' })
  const startedAt = performance.now()
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
  const lines: string[] = []
  const ready = Promise.withResolvers<string>()
  const read = (text: string) => {
    lines.push(text)
    log.write(`${text}\n`)
    const address = /is ready after .* on (http\S+)\. /.exec(text)?.[1]
    if (address !== undefined) ready.resolve(address)
  }
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', read)
  void exited.then(() => ready.reject(new Error(`npm start has ended by itself:\n${lines.join('\n')}`)))
  const baseUrl = await ready.promise
  return { pid: child.pid as number, readyMs: performance.now() - startedAt, baseUrl, stop }
}
