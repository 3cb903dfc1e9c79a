import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { KEY_VARIABLES, keysFile, parseKeys } from './keys.ts'
import type { Keys } from './vault/keys.ts'

const PORT_MAX = 65_535

/** Wrong or missing settings: all of them in one message, none of them with a secret in it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

/** What the environment says, validated. Nothing else in the project reads the environment. */
export interface Config {
  host: string
  /** 0 takes any free port. */
  port: number
  /** The address merchants reach the service by, where that differs from host and port; no slash at the end. */
  publicUrl: string | undefined
  /** Absolute path of the folder that everything embedded lies in. */
  dataFolder: string
  /** Where given, that PostgreSQL is used and none is started. */
  databaseUrl: string | undefined
  /** Where given (`host:port`), that Temporal is used and none is started. */
  temporalAddress: string | undefined
  temporalUiPort: number
  temporalPort: number | undefined
  postgresPort: number | undefined
  temporalCliPath: string | undefined
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  /** Undefined: only where everything is embedded. */
  dangerouslyAllowPrivateWebhookTargets: boolean | undefined
  /** Undefined: the keys lie in the data folder. */
  keys: Keys | undefined
  /** True under `npm start`: then the process stops when npm is gone. */
  startedByNpm: boolean
}

/** What a process cannot do without when it starts nothing by itself. */
export interface Needs<Server extends keyof typeof SERVERS> {
  servers: readonly Server[]
  keys: boolean
}

const SERVERS = { databaseUrl: 'DATABASE_URL', temporalAddress: 'TEMPORAL_ADDRESS' } as const

const PORT_ACCEPTED = `a port number from 0 to ${PORT_MAX}`
const port = z
  .string()
  .regex(/^\d{1,9}$/, PORT_ACCEPTED)
  .transform(Number)
  .refine((value) => value <= PORT_MAX, PORT_ACCEPTED)

function url(protocols: readonly string[], accepted: string) {
  return z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), accepted)
}

const settings = z.object({
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]+$/, 'a host name or an IP address to listen on')
    .default('127.0.0.1'),
  PORT: port.default(3000),
  PUBLIC_URL: url(['http:', 'https:'], 'an http:// or https:// address')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional(),
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'a postgresql:// address').optional(),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^(\[[0-9a-fA-F:]+\]|[^\s:/]+):\d{1,5}$/, 'host:port without a protocol, such as localhost:7233')
    .optional(),
  TEMPORAL_UI_PORT: port.default(8233),
  TEMPORAL_PORT: port.optional(),
  POSTGRES_PORT: port.optional(),
  TEMPORAL_CLI_PATH: z.string().optional(),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'one of trace, debug, info, warn, error, fatal, silent',
    })
    .default('info'),
  DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS: z
    .enum(['true', 'false'], { error: 'true or false' })
    .transform((value) => value === 'true')
    .optional(),
})

/** Values that may hold a password are not repeated in an error. */
const SECRET_SETTINGS: readonly string[] = ['DATABASE_URL']

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings of a process that starts what is not given.
 *
 * An empty value counts as absent, an unknown variable as somebody else's.
 *
 * @throws ConfigurationError listing every wrong value.
 */
export function readConfig(environment: Environment = process.env): Config {
  const { config, problems } = read(environment)
  if (config === undefined) throw configurationError(problems)
  return config
}

/**
 * Reads the settings of a process that starts no servers and makes no keys.
 *
 * @throws ConfigurationError listing every wrong value and everything that is missing.
 */
export function readConfigWith<Server extends keyof typeof SERVERS>(
  needs: Needs<Server>,
  environment: Environment = process.env,
): Config & Record<Server, string> {
  const { config, problems } = read(environment)
  for (const name of needs.servers.map((server) => SERVERS[server])) {
    if (!environment[name]) problems.push(`${name} is missing; only npm start brings servers of its own`)
  }
  const file = keysFile(dataFolderOf(environment))
  if (needs.keys && !KEY_VARIABLES.some((name) => environment[name]) && !existsSync(file)) {
    problems.push(`The keys are missing; give ${KEY_VARIABLES.join(', ')}, or write ${file} once with npm run keys`)
  }
  if (config === undefined || problems.length > 0) throw configurationError(problems)
  return config as Config & Record<Server, string>
}

function dataFolderOf(environment: Environment): string {
  return resolve(environment.DATA_DIR || '.data')
}

function read(environment: Environment): { config: Config | undefined; problems: string[] } {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = settings.safeParse(given)
  const wrong = new Map(parsed.error?.issues.map((issue) => [String(issue.path[0]), issue.message]))
  const problems = [...wrong].map(([name, accepted]) =>
    SECRET_SETTINGS.includes(name)
      ? `${name} is not ${accepted}`
      : `${name} is ${JSON.stringify(given[name])}, accepted is ${accepted}`,
  )
  const keys = readKeys(given, problems)
  if (!parsed.success || problems.length > 0) return { config: undefined, problems }
  const values = parsed.data
  const config: Config = {
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    dataFolder: dataFolderOf(given),
    databaseUrl: values.DATABASE_URL,
    temporalAddress: values.TEMPORAL_ADDRESS,
    temporalUiPort: values.TEMPORAL_UI_PORT,
    temporalPort: values.TEMPORAL_PORT,
    postgresPort: values.POSTGRES_PORT,
    temporalCliPath: values.TEMPORAL_CLI_PATH,
    logLevel: values.LOG_LEVEL,
    dangerouslyAllowPrivateWebhookTargets: values.DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS,
    keys,
    startedByNpm: given.npm_lifecycle_event === 'start',
  }
  return { config: Object.freeze(config), problems }
}

/** Either all keys are in the environment or none: a mixture of two places would be a mixture of two secrets. */
function readKeys(given: Environment, problems: string[]): Keys | undefined {
  if (!KEY_VARIABLES.some((name) => given[name] !== undefined)) return undefined
  const result = parseKeys(given)
  if ('keys' in result) return result.keys
  for (const { name, accepted } of result.problems) {
    const what = given[name] === undefined ? 'is missing, while other keys are given' : 'cannot be read'
    problems.push(`${name} ${what}; accepted is ${accepted}`)
  }
  return undefined
}

function configurationError(problems: readonly string[]): ConfigurationError {
  return new ConfigurationError(
    `The environment has ${problems.length === 1 ? 'one wrong setting' : `${problems.length} wrong settings`}:\n` +
      problems.map((problem) => `  - ${problem}.`).join('\n'),
  )
}
