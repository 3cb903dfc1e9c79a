import { resolve } from 'node:path'
import { z } from 'zod'
import { KEY_VARIABLES, type Keys, parseKeys } from './keys.ts'

export type { KeyRing, Keys } from './keys.ts'

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

/** Both servers are named: what a process needs that starts none. */
export type ServersConfig = Config & { databaseUrl: string; temporalAddress: string }

function number(max: number, accepted: string) {
  return z
    .string()
    .regex(/^\d{1,9}$/, accepted)
    .transform(Number)
    .refine((value) => value <= max, accepted)
}
const port = number(PORT_MAX, `a port number from 0 to ${PORT_MAX}`)

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
  DATA_DIR: z.string().default('.data'),
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
 * Reads the settings of a process that needs given servers.
 *
 * @throws ConfigurationError listing every wrong value and every missing server.
 */
export function readServersConfig(environment: Environment = process.env): ServersConfig {
  const { config, problems } = read(environment)
  for (const name of ['DATABASE_URL', 'TEMPORAL_ADDRESS']) {
    if (!environment[name]) problems.push(`${name} is missing; only npm start brings servers of its own`)
  }
  if (config?.databaseUrl === undefined || config.temporalAddress === undefined) throw configurationError(problems)
  return { ...config, databaseUrl: config.databaseUrl, temporalAddress: config.temporalAddress }
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
    dataFolder: resolve(values.DATA_DIR),
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
