import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../src/embedded/ports.ts'
import { obtainTemporalCli } from '../../src/embedded/temporal-cli.ts'
import { createHttpClient, type HttpClient } from '../support/http-client.ts'
import { processStartMark } from '../support/process-start-mark.ts'
import { waitFor } from '../support/wait-for.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export type Environment = Record<string, string>

/** A process of the service, run as its `npm run` script runs it. */
export interface Launched {
  pid: number
  /** Everything that it has printed so far. */
  output(): string
  /** Waits until it has printed this. */
  printed(text: string): Promise<void>
  kill(signal: NodeJS.Signals): void
  type(keys: string): void
  /** The exit code, or the signal that ended it. */
  exited(): Promise<number | NodeJS.Signals>
}

/** What every process of a test needs of the environment around it, and what the test says. */
function environmentOf(environment: Environment): Environment {
  const { PATH = '', NODE_COMPILE_CACHE: cache } = process.env
  return { PATH, HOME: tmpdir(), ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }), ...environment }
}

/**
 * @param script such as `src/server.ts`.
 * @param root the folder with the code, where it is not that of this tree.
 */
export function launch(
  script: string,
  environment: Environment,
  args: readonly string[] = [],
  root: string = ROOT,
): Launched {
  return follow(spawn(process.execPath, [script, ...args], { cwd: root, env: environmentOf(environment) }))
}

/** Gives a program a terminal of its own, of which this is the keyboard and the screen. */
const IN_TERMINAL = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'

/** `npm start` by somebody who sits in front of it. */
function launchInTerminal(environment: Environment): Launched {
  const program = ['npm', 'start', '--no-progress', '--no-update-notifier']
  const env = environmentOf({ TERM: 'xterm-256color', ...environment })
  return follow(spawn('python3', ['-c', IN_TERMINAL, ...program], { cwd: ROOT, env }))
}

function follow(child: ChildProcess): Launched {
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(String(chunk)))
  const exit = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? (signal as NodeJS.Signals)))
  })
  const output = () => chunks.join('')
  return {
    pid: child.pid as number,
    output,
    kill: (signal) => void child.kill(signal),
    type: (keys) => void child.stdin?.write(keys),
    exited: () => exit,
    async printed(text) {
      const isOver = () => child.exitCode !== null || child.signalCode !== null
      await waitFor(() => output().includes(text) || isOver())
      if (!output().includes(text)) throw new Error(`It ended without printing "${text}":\n${output()}`)
    },
  }
}

/** Runs a command of `scripts/` to its end. */
export async function run(script: string, args: string[], environment: Environment): Promise<string> {
  const options = { cwd: ROOT, env: environmentOf(environment) }
  return (await promisify(execFile)(process.execPath, [script, ...args], options)).stdout
}

/** What `admin projects create` has printed. */
export function credentialsIn(printed: string): { username: string; password: string } {
  const [, username = '', password = ''] = /^project id {2}(\S+)\nsecret key {2}(\S+)$/m.exec(printed) ?? []
  return { username, password }
}

/** PostgreSQL's own file: process id in the first line, port in the fourth. */
const POSTMASTER = 'postgres/cluster/postmaster.pid'

/** A machine on which everything is embedded: a data folder and ports of its own. */
export interface Machine {
  dataFolder: string
  environment: Environment
  start(where?: 'in a terminal'): Promise<Launched>
  /** The process ids of the servers that were started last. */
  servers(): Promise<{ postgres: number; temporal: number }>
  databaseUrl(): Promise<string>
  sandbox(): Promise<Record<string, string>>
  client(): Promise<HttpClient>
  /** Kills what is left of it and removes its data. */
  remove(): Promise<void>
}

export async function makeMachine(parent = tmpdir()): Promise<Machine> {
  const folder = await mkdtemp(join(parent, 'holdfast-machine-'))
  // The user that runs PostgreSQL for root must be able to pass through.
  await chmod(folder, 0o711)
  const dataFolder = join(folder, 'my data')
  const environment = { DATA_DIR: dataFolder, TEMPORAL_CLI_PATH: await testCli(), ...(await freePorts()) }
  const launched: Launched[] = []
  const pidIn = async (file: string) => Number.parseInt(await readFile(join(dataFolder, file), 'utf8'), 10)
  const servers = async () => ({
    postgres: await pidIn(POSTMASTER),
    temporal: await pidIn('temporal/temporal.pid'),
  })
  const sandbox = async () => JSON.parse(await readFile(join(dataFolder, 'sandbox.json'), 'utf8'))
  return {
    dataFolder,
    environment,
    servers,
    sandbox,
    async databaseUrl() {
      const password = (await readFile(join(dataFolder, 'postgres', 'password'), 'utf8')).trim()
      const port = (await readFile(join(dataFolder, POSTMASTER), 'utf8')).split('\n')[3]
      return `postgresql://holdfast:${password}@127.0.0.1:${port}/holdfast`
    },
    start: (where) =>
      whilePortsAreLost('Take a payment', async (isAgain) => {
        if (isAgain) Object.assign(environment, await freePorts())
        const server = where === undefined ? launch('src/server.ts', environment) : launchInTerminal(environment)
        launched.push(server)
        return server
      }),
    async client() {
      const { base_url, project_id, secret_key } = await sandbox()
      return createHttpClient(base_url, { username: project_id, password: secret_key })
    },
    async remove() {
      for (const server of launched.splice(0)) {
        server.kill('SIGTERM')
        await waitFor(() => processStartMark(server.pid) === undefined)
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What is said when another program was faster. Temporal has ports of its own choice, and ends with 1. */
const LOST_A_PORT = /is taken by another program|Temporal ended with code 1\b/

const START_TRIES_MAX = 3

/**
 * Launches until it has printed this: other programs take ports as well, between the choice of a free one and its use.
 *
 * @param launchOnce chooses other ports where it is asked again.
 */
export async function whilePortsAreLost(
  text: string,
  launchOnce: (isAgain: boolean) => Promise<Launched>,
): Promise<Launched> {
  for (let tries = 1; ; tries += 1) {
    const launched = await launchOnce(tries > 1)
    const failure = await launched.printed(text).then(
      () => null,
      (error: Error) => error,
    )
    if (failure === null) return launched
    if (tries === START_TRIES_MAX || !LOST_A_PORT.test(failure.message)) throw failure
  }
}

export async function freePorts() {
  const [api, ui, temporal] = await Promise.all([freePort(), freePort(), freePort()])
  return { PORT: String(api), TEMPORAL_UI_PORT: String(ui), TEMPORAL_PORT: String(temporal) }
}

/** The program that the guardian of the run has obtained. */
export function testCli(): Promise<string> {
  return obtainTemporalCli({
    explicitPath: process.env.TEMPORAL_CLI_PATH,
    searchPath: false,
    log: () => undefined,
  })
}
