import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../../src/admin/command-line.ts'
import { type Interface, startInterface } from '../http/interface.ts'
import { credentialsIn } from '../journeys/launched.ts'
import { runningForFile } from '../support/for-file.ts'
import { createHttpClient, type HttpClient } from '../support/http-client.ts'
import { TEST_KEYS } from '../support/keys.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** How a command has ended. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** The interface, and beside it the command line of its operator, on one database. */
export interface AdminStage {
  api: Interface
  /** Runs `npm run admin -- …` in this process: one of its own takes a second only to load. */
  admin(...args: string[]): Promise<Ended>
  /** The same as a process of its own. */
  spawnAdmin(...args: string[]): Promise<Ended>
  /** Makes a project by the command line. */
  createProject(name: string): Promise<{ projectId: string; secretKey: string; client: HttpClient }>
  /** A client with these credentials. */
  clientOf(username: string, password: string): HttpClient
  stop(): Promise<void>
}

async function startAdminStage(): Promise<AdminStage> {
  const api = await startInterface()
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-admin-'))
  const environment = {
    DATA_DIR: folder,
    DATABASE_URL: api.database.url,
    // Nobody answers there: what a command refuses, it refuses before it asks.
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    ...keyVariables(),
  }
  // Of this test file alone: Jest gives each of them an environment of its own.
  Object.assign(process.env, environment)
  const clientOf = (username: string, password: string) => createHttpClient(api.url, { username, password })
  return {
    api,
    admin: runHere,
    spawnAdmin: (...args) => runApart(args, { PATH: String(process.env.PATH), HOME: folder, ...environment }),
    clientOf,
    async createProject(name) {
      const { stdout, stderr } = await runHere('projects', 'create', name)
      const { username, password: secretKey } = credentialsIn(stdout)
      if (secretKey === '') throw new Error(`No project was made: ${stderr}`)
      return { projectId: username.replace(/^test-/, ''), secretKey, client: clientOf(username, secretKey) }
    },
    async stop() {
      await api.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const adminStageForFile = (): AdminStage => runningForFile(startAdminStage)

/** How the command line shows an instant. */
export function shownInstant(instant: Date | null | undefined): string {
  return `${instant?.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

export async function runHere(...args: string[]): Promise<Ended> {
  const [said, complained]: string[][] = [[], []]
  const code = await runCommandLine(args, {
    say: (line) => said?.push(line),
    complain: (line) => complained?.push(line),
  })
  const textOf = (lines: readonly string[] = []) => lines.map((line) => `${line}\n`).join('')
  return { code, stdout: textOf(said), stderr: textOf(complained) }
}

async function runApart(args: readonly string[], environment: Record<string, string>): Promise<Ended> {
  const child = spawn(process.execPath, ['src/admin.ts', ...args], { cwd: ROOT, env: environment })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

/** The keys of tests, as the environment gives them. */
export function keyVariables(): Record<string, string> {
  const { cardNumber, securityCode, payload, fingerprint, apiSecretHash, clientSecret } = TEST_KEYS
  const ring = ({ current, keys }: typeof cardNumber) => `${current}:${keys.get(current)?.toString('base64')}`
  return {
    CARD_NUMBER_KEYS: ring(cardNumber),
    SECURITY_CODE_KEYS: ring(securityCode),
    PAYLOAD_KEYS: ring(payload),
    FINGERPRINT_KEY: fingerprint.toString('base64'),
    API_SECRET_HASH_KEY: apiSecretHash.toString('base64'),
    CLIENT_SECRET_KEY: clientSecret.toString('base64'),
  }
}
