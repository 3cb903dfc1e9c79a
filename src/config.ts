import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { Environment } from '../domain/environment.ts'
import { nearestName } from '../domain/nearest-name.ts'
import { KEY_VARIABLES, keysFile, parseKeys, parseRing, RING_ACCEPTED } from './keys/keys-file.ts'
import { isThisMachine } from './this-machine.ts'
import type { KeyRing, Keys } from './vault/keys.ts'

const PORT_MAX = 65_535
const TLS_MODES: readonly string[] = ['disable', 'no-verify', 'require', 'verify-full']
const TLS_ACCEPTED = `an address whose sslmode, where it has one, is one of ${TLS_MODES.join(', ')}`
const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** Wrong or missing settings: all of them in one message, none of them with a secret in it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

/** For how long what is kept for a time only is kept, in milliseconds. Events and records are kept for good. */
export interface Retention {
  /** Keys of merchants' requests, and the answers that repetitions get. */
  idempotencyKeysMs: number
  /** The log of requests: support looks at it while a case is young, and it tells what customers did. */
  apiRequestsMs: number
  /** How each try of a webhook went; that it was delivered stays. */
  webhookAttemptsMs: number
  /** Numbers of cards that nobody stored and no payment needs any more. */
  cardNumbersMs: number
  /** Credentials of gateway configurations that were deleted, for refunds of what was paid there. */
  gatewayCredentialsMs: number
}

/** By gateway the address of its stand-in on this machine; null for the gateway's own host. */
export interface SandboxHosts {
  stripe: string | null
  adyen: string | null
}

/** No gateway has a stand-in. */
export const OWN_HOSTS: SandboxHosts = { stripe: null, adyen: null }

export interface TemporalAccess {
  /** Undefined: in plain. All fields absent: TLS, with the authorities that Node trusts. PEM. */
  tls: { serverRootCACertificate?: Buffer; serverNameOverride?: string; clientCertPair?: ClientCertificate } | undefined
  apiKey: string | undefined
  namespaces: Record<Environment, string>
}

interface ClientCertificate {
  crt: Buffer
  key: Buffer
}

/** What the environment says, validated. Nothing else in the project reads the environment. */
export interface Config {
  host: string
  /** 0 takes any free port. */
  port: number
  /** How long a process with an API goes on serving, not ready any more, before it stops. */
  shutdownDelayMs: number
  /** Where a worker without an API answers for its health; undefined: nowhere. */
  workerHealthPort: number | undefined
  /** Where the process serves its metrics; undefined: nowhere. */
  metricsAt: { host: string; port: number } | undefined
  /** The receiver of traces by OTLP over HTTP, without a slash at its end; undefined: none are made. */
  tracesTo: string | undefined
  /** The address merchants reach the service by, where that differs from host and port; no slash at the end. */
  publicUrl: string | undefined
  /** Absolute path of the folder that everything embedded lies in. */
  dataFolder: string
  /** Where given, that PostgreSQL is used and none is started. */
  databaseUrl: string | undefined
  /** Where given (`host:port`), that Temporal is used and none is started. */
  temporalAddress: string | undefined
  temporalAccess: TemporalAccess
  /** The address of the UI of a Temporal that is given; no slash at the end. */
  temporalUiUrl: string | undefined
  /** Undefined: the embedded Temporal has no web interface. */
  temporalUiPort: number | undefined
  temporalPort: number | undefined
  postgresPort: number | undefined
  temporalCliPath: string | undefined
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  /** Undefined: only where everything is embedded. */
  dangerouslyAllowPrivateWebhookTargets: boolean | undefined
  sandboxHosts: SandboxHosts
  /** Proxies in front whose word for the address of a caller is believed. */
  trustedProxies: number
  /** Undefined: the keys lie in the data folder. */
  keys: Keys | undefined
  /** Whether payloads in Temporal are encrypted. Undefined: by `npm run api` and `npm run worker`, not by `npm start`. */
  payloadEncryption: boolean | undefined
  /** Whether workers keep what the tab *Call Stack* of Temporal's UI shows; see `src/temporal/workflow-thread.ts`. */
  keepsCallStacks: boolean
  /** How a new version of the workers gets work: by itself, or when an operator says so. */
  workerRollout: 'automatic' | 'manual'
  /** Where the UI of the embedded Temporal looks for the codec server. */
  codecServerPort: number
  /** How long what is kept for a time only is kept. */
  retention: Retention
  /** True under `npm start`: then the process stops when npm is gone. */
  startedByNpm: boolean
}

/** The roles of people who look at histories; see `src/codec/app.ts`. */
export type CodecRole = 'developer' | 'support'

/** What the codec server is told. It has no key but those of payloads. */
export interface CodecServerConfig extends Pick<Config, 'host' | 'dataFolder' | 'logLevel'> {
  port: number
  /** Whose pages may ask: the addresses of Temporal's UI. */
  uiOrigins: readonly string[]
  tokens: Readonly<Record<CodecRole, string | undefined>>
  /** Undefined: the keys lie in the data folder. */
  payloadKeys: KeyRing | undefined
}

/** What a process cannot do without when it starts nothing by itself. */
export interface Needs<Server extends keyof typeof SERVERS> {
  servers: readonly Server[]
  keys: boolean
}

const SERVERS = { databaseUrl: 'DATABASE_URL', temporalAddress: 'TEMPORAL_ADDRESS' } as const

const SHUTDOWN_DELAY_ACCEPTED = 'a number of seconds from 0 to 300'
const PORT_ACCEPTED = `a port number from 0 to ${PORT_MAX}`
const TOKEN_ACCEPTED = '32 to 128 letters, digits, hyphens and underscores (openssl rand -hex 32)'
const UI_PORT_ACCEPTED = `${PORT_ACCEPTED}, or off`
const port = z
  .string()
  .regex(/^\d{1,9}$/, PORT_ACCEPTED)
  .transform(Number)
  .refine((value) => value <= PORT_MAX, PORT_ACCEPTED)

const token = z.string().regex(/^[A-Za-z0-9_-]{32,128}$/, TOKEN_ACCEPTED)
const host = z.string().regex(/^[A-Za-z0-9.:_-]+$/, 'a host name or an IP address to listen on')

const flag = z.enum(['true', 'false'], { error: 'true or false' }).transform((value) => value === 'true')

/** As Temporal Cloud names them as well: `name.account`. */
const namespace = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/, 'the name of a namespace of Temporal')

/** As `databaseTls` reads it; a mode that it does not know must not end as a connection in plain. */
function hasKnownTls(databaseUrl: string): boolean {
  const modes = URL.canParse(databaseUrl) ? new URL(databaseUrl).searchParams.getAll('sslmode') : []
  return modes.every((mode) => TLS_MODES.includes(mode))
}

/** A period in whole days or hours; the sentence names the bounds and why there is a lower one. */
function period({ min, max, unit, why }: { min: number; max: number; unit: 'days' | 'hours'; why: string }) {
  const accepted = `a number of ${unit} from ${min} (${why}) to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, accepted)
    .transform(Number)
    .refine((value) => value >= min && value <= max, accepted)
}

function url(protocols: readonly string[], accepted: string) {
  return z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), accepted)
}

/** The credentials of the sandbox, and its card numbers, go there; so it is no other machine. */
const standIn = z
  .string()
  .refine(
    (value) => URL.canParse(value) && new URL(value).protocol === 'http:' && isThisMachine(new URL(value).hostname),
    'an http:// address of this machine, such as http://127.0.0.1:4010',
  )
  .transform((value) => new URL(value).origin)
  .nullable()
  .default(null)

const settings = z.object({
  HOST: host.default('127.0.0.1'),
  PORT: port.default(3000),
  SHUTDOWN_DELAY_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, SHUTDOWN_DELAY_ACCEPTED)
    .transform(Number)
    .refine((value) => value <= 300, SHUTDOWN_DELAY_ACCEPTED)
    .default(0),
  WORKER_HEALTH_PORT: port.optional(),
  METRICS_HOST: host.default('127.0.0.1'),
  METRICS_PORT: port.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:'], 'an http:// or https:// address')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional(),
  PUBLIC_URL: url(['http:', 'https:'], 'an http:// or https:// address')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional(),
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'a postgresql:// address')
    .refine((value) => hasKnownTls(value), TLS_ACCEPTED)
    .optional(),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^(\[[0-9a-fA-F:]+\]|[^\s:/]+):\d{1,5}$/, 'host:port without a protocol, such as localhost:7233')
    .optional(),
  TEMPORAL_TLS: flag.optional(),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: z.string().optional(),
  TEMPORAL_TLS_SERVER_NAME: z.string().optional(),
  TEMPORAL_TLS_CLIENT_CERT_PATH: z.string().optional(),
  TEMPORAL_TLS_CLIENT_KEY_PATH: z.string().optional(),
  TEMPORAL_API_KEY: z.string().optional(),
  TEMPORAL_NAMESPACE_LIVE: namespace.default('live'),
  TEMPORAL_NAMESPACE_SANDBOX: namespace.default('sandbox'),
  PAYLOAD_ENCRYPTION: z
    .enum(['on', 'off'], { error: 'on or off' })
    .transform((value) => value === 'on')
    .optional(),
  WORKFLOW_CALL_STACKS: z
    .enum(['on', 'off'], { error: 'on or off' })
    .transform((value) => value === 'on')
    .default(false),
  WORKER_ROLLOUT: z.enum(['automatic', 'manual'], { error: 'automatic or manual' }).default('automatic'),
  CODEC_SERVER_PORT: port.default(8081),
  CODEC_DEVELOPER_TOKEN: token.optional(),
  CODEC_SUPPORT_TOKEN: token.optional(),
  TEMPORAL_UI_PORT: z
    .string()
    .regex(/^(off|\d{1,9})$/, UI_PORT_ACCEPTED)
    .transform((value) => (value === 'off' ? null : Number(value)))
    .refine((value) => value === null || value <= PORT_MAX, UI_PORT_ACCEPTED)
    .default(8233),
  TEMPORAL_UI_URL: url(['http:', 'https:'], 'an http:// or https:// address')
    .transform((value) => value.replace(/\/+$/, ''))
    .optional(),
  TEMPORAL_PORT: port.optional(),
  POSTGRES_PORT: port.optional(),
  TEMPORAL_CLI_PATH: z.string().optional(),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'one of trace, debug, info, warn, error, fatal, silent',
    })
    .default('info'),
  TRUSTED_PROXIES: z.string().regex(/^\d$/, 'the number of proxies in front, from 0 to 9').transform(Number).default(0),
  DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS: flag.optional(),
  SANDBOX_STRIPE_URL: standIn,
  SANDBOX_ADYEN_URL: standIn,
  RETENTION_IDEMPOTENCY_HOURS: period({
    min: 72,
    max: 720,
    unit: 'hours',
    why: 'merchants may repeat a request for that long',
  }).default(72),
  RETENTION_API_REQUESTS_DAYS: period({ min: 1, max: 365, unit: 'days', why: 'support looks at yesterday' }).default(
    30,
  ),
  RETENTION_WEBHOOK_ATTEMPTS_DAYS: period({
    min: 7,
    max: 3650,
    unit: 'days',
    why: 'a webhook is retried for three days, and looked into after that',
  }).default(90),
  RETENTION_CARD_NUMBERS_DAYS: period({
    min: 1,
    max: 365,
    unit: 'days',
    why: 'a declined payment is tried again with the same card',
  }).default(7),
  RETENTION_GATEWAY_CREDENTIALS_DAYS: period({
    min: 0,
    max: 3650,
    unit: 'days',
    why: 'what is open there is waited for in any case',
  }).default(180),
})

/** Values that are never repeated in an error. Each may be given as NAME_FILE, too: the path of a file that holds it. */
const SECRET_SETTINGS: readonly string[] = [
  ...['DATABASE_URL', 'TEMPORAL_API_KEY', 'CODEC_DEVELOPER_TOKEN', 'CODEC_SUPPORT_TOKEN'],
  ...KEY_VARIABLES,
]

/** Every variable that says something to the service. */
export const SETTING_NAMES: readonly string[] = [
  ...['DATA_DIR', ...Object.keys(settings.shape), ...KEY_VARIABLES],
  ...SECRET_SETTINGS.map((name) => `${name}_FILE`),
]

/**
 * The variables that say nothing to the service, and are called almost like one that does. An environment is full of names of
 * others, so each word of the name must begin or end as that of the setting.
 */
export function misspeltSettings(environment: Variables = process.env): { name: string; setting: string }[] {
  return Object.keys(environment).flatMap((name) => {
    if (SETTING_NAMES.includes(name)) return []
    const words = name.split('_')
    const alike = SETTING_NAMES.filter((setting) => {
      const others = setting.split('_')
      return others.length === words.length && others.every((other, index) => isVariant(other, words[index] as string))
    })
    const setting = nearestName(name, alike)
    return setting === undefined ? [] : [{ name, setting }]
  })
}

function isVariant(one: string, other: string): boolean {
  return one.slice(0, 2) === other.slice(0, 2) || one.slice(-3) === other.slice(-3)
}

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings of a process that starts what is not given.
 *
 * An empty value counts as absent, an unknown variable as somebody else's.
 *
 * @throws ConfigurationError listing every wrong value.
 */
export function readConfig(environment: Variables = process.env): Config {
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
  environment: Variables = process.env,
): Config & Record<Server, string> {
  const { config, problems } = read(environment)
  const isGiven = (name: string) => environment[name] || environment[`${name}_FILE`]
  for (const name of needs.servers.map((server) => SERVERS[server])) {
    if (!isGiven(name)) problems.push(`${name} is missing; only npm start brings servers of its own`)
  }
  const file = keysFile(dataFolderOf(environment))
  if (needs.keys && !KEY_VARIABLES.some(isGiven) && !existsSync(file)) {
    problems.push(`The keys are missing; give ${KEY_VARIABLES.join(', ')}, or write ${file} once with npm run keys`)
  }
  if (config === undefined || problems.length > 0) throw configurationError(problems)
  return config as Config & Record<Server, string>
}

/** The settings that the codec server shares with the other processes, and its own. */
const codecSettings = settings.pick({
  HOST: true,
  LOG_LEVEL: true,
  TEMPORAL_UI_URL: true,
  TEMPORAL_UI_PORT: true,
  CODEC_SERVER_PORT: true,
  CODEC_DEVELOPER_TOKEN: true,
  CODEC_SUPPORT_TOKEN: true,
})

/**
 * Reads the settings of the codec server, which needs no server and no other key than `PAYLOAD_KEYS`.
 *
 * @throws ConfigurationError listing every wrong value and everything that is missing.
 */
export function readCodecServerConfig(environment: Variables = process.env): CodecServerConfig {
  const { given, problems } = withSecretFiles(withoutEmpty(environment))
  const parsed = codecSettings.safeParse(given)
  problems.push(...problemsOf(parsed.error, given))
  const { PAYLOAD_KEYS: ring } = given
  const payloadKeys = ring === undefined ? undefined : parseRing(ring)
  if (ring !== undefined && payloadKeys === undefined) problems.push(`PAYLOAD_KEYS is not ${RING_ACCEPTED}`)
  const dataFolder = dataFolderOf(given)
  if (ring === undefined && !existsSync(keysFile(dataFolder)))
    problems.push(`The keys are missing; give PAYLOAD_KEYS, or the DATA_DIR with the keys.json of the service`)
  const tokens = { developer: parsed.data?.CODEC_DEVELOPER_TOKEN, support: parsed.data?.CODEC_SUPPORT_TOKEN }
  if (parsed.success && tokens.developer === undefined && tokens.support === undefined)
    problems.push('CODEC_DEVELOPER_TOKEN and CODEC_SUPPORT_TOKEN are missing; without one of them nobody may ask')
  if (tokens.developer !== undefined && tokens.developer === tokens.support)
    problems.push('CODEC_DEVELOPER_TOKEN and CODEC_SUPPORT_TOKEN are the same')
  if (!parsed.success || problems.length > 0) throw configurationError(problems)
  const { HOST: host, LOG_LEVEL: logLevel, CODEC_SERVER_PORT, TEMPORAL_UI_URL, TEMPORAL_UI_PORT } = parsed.data
  const uiOrigins =
    TEMPORAL_UI_URL === undefined
      ? ['127.0.0.1', 'localhost'].map((name) => `http://${name}:${TEMPORAL_UI_PORT}`)
      : [new URL(TEMPORAL_UI_URL).origin]
  return { host, logLevel, port: CODEC_SERVER_PORT, uiOrigins, tokens, payloadKeys, dataFolder }
}

function withoutEmpty(environment: Variables): Variables {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
}

function problemsOf(error: z.ZodError | undefined, given: Variables): string[] {
  const wrong = new Map(error?.issues.map((issue) => [String(issue.path[0]), issue.message]))
  return [...wrong].map(([name, accepted]) =>
    SECRET_SETTINGS.includes(name)
      ? `${name} is not ${accepted}`
      : `${name} is ${JSON.stringify(given[name])}, accepted is ${accepted}`,
  )
}

function dataFolderOf(environment: Variables): string {
  return resolve(environment.DATA_DIR || '.data')
}

function read(environment: Variables): { config: Config | undefined; problems: string[] } {
  const { given, problems } = withSecretFiles(withoutEmpty(environment))
  const parsed = settings.safeParse(given)
  problems.push(...problemsOf(parsed.error, given))
  const keys = readKeys(given, problems)
  const temporalAccess = parsed.success ? readTemporalAccess(parsed.data, given, problems) : undefined
  if (!parsed.success || temporalAccess === undefined || problems.length > 0) return { config: undefined, problems }
  const values = parsed.data
  const config: Config = {
    host: values.HOST,
    port: values.PORT,
    shutdownDelayMs: 1000 * values.SHUTDOWN_DELAY_SECONDS,
    workerHealthPort: values.WORKER_HEALTH_PORT,
    metricsAt: values.METRICS_PORT === undefined ? undefined : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    tracesTo: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    publicUrl: values.PUBLIC_URL,
    temporalUiUrl: values.TEMPORAL_UI_URL,
    dataFolder: dataFolderOf(given),
    databaseUrl: values.DATABASE_URL,
    temporalAddress: values.TEMPORAL_ADDRESS,
    temporalAccess,
    temporalUiPort: values.TEMPORAL_UI_PORT ?? undefined,
    temporalPort: values.TEMPORAL_PORT,
    postgresPort: values.POSTGRES_PORT,
    temporalCliPath: values.TEMPORAL_CLI_PATH,
    logLevel: values.LOG_LEVEL,
    dangerouslyAllowPrivateWebhookTargets: values.DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS,
    sandboxHosts: { stripe: values.SANDBOX_STRIPE_URL, adyen: values.SANDBOX_ADYEN_URL },
    trustedProxies: values.TRUSTED_PROXIES,
    keys,
    payloadEncryption: values.PAYLOAD_ENCRYPTION,
    keepsCallStacks: values.WORKFLOW_CALL_STACKS,
    workerRollout: values.WORKER_ROLLOUT,
    codecServerPort: values.CODEC_SERVER_PORT,
    retention: {
      idempotencyKeysMs: values.RETENTION_IDEMPOTENCY_HOURS * HOUR_MS,
      apiRequestsMs: values.RETENTION_API_REQUESTS_DAYS * DAY_MS,
      webhookAttemptsMs: values.RETENTION_WEBHOOK_ATTEMPTS_DAYS * DAY_MS,
      cardNumbersMs: values.RETENTION_CARD_NUMBERS_DAYS * DAY_MS,
      gatewayCredentialsMs: values.RETENTION_GATEWAY_CREDENTIALS_DAYS * DAY_MS,
    },
    startedByNpm: given.npm_lifecycle_event === 'start',
  }
  return { config: Object.freeze(config), problems }
}

/**
 * The environment with the secrets that it names files for, as Docker and Kubernetes hand them over. A problem repeats
 * neither what is in a file nor its path, since a path may be the secret itself, given under the wrong name.
 */
function withSecretFiles(given: Variables): { given: Variables; problems: string[] } {
  const read: Record<string, string> = {}
  const problems: string[] = []
  for (const name of SECRET_SETTINGS) {
    const file = given[`${name}_FILE`]
    if (file === undefined) continue
    if (given[name] !== undefined) {
      problems.push(`${name} and ${name}_FILE are both given, accepted is one of them`)
      continue
    }
    const content = readFile(`${name}_FILE`, file, problems)
      ?.toString()
      .replace(/[\r\n]+$/, '')
    if (content === '') problems.push(`${name}_FILE names a file that is empty`)
    else if (content !== undefined) read[name] = content
  }
  return { given: { ...given, ...read }, problems }
}

/** What is in the file that a setting names; undefined where it names none, or none that can be read. */
function readFile(name: string, path: string | undefined, problems: string[]): Buffer | undefined {
  try {
    return path === undefined ? undefined : readFileSync(path)
  } catch (error) {
    problems.push(`${name} names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`)
    return undefined
  }
}

/** Settings that say how a Temporal is reached which somebody else runs. */
const ACCESS_SETTINGS = Object.keys(settings.shape).filter((name) => /^TEMPORAL_(TLS|API_KEY|NAMESPACE)/.test(name))

/** The files of TLS are read here, so that a wrong path is told with everything else that is wrong. */
function readTemporalAccess(values: z.infer<typeof settings>, given: Variables, problems: string[]): TemporalAccess {
  const named = ACCESS_SETTINGS.filter((name) => given[name] !== undefined)
  if (named.length > 0 && values.TEMPORAL_ADDRESS === undefined)
    problems.push(`TEMPORAL_ADDRESS is missing, while ${named.join(', ')} ${named.length === 1 ? 'is' : 'are'} given`)
  const file = (name: keyof typeof values & `TEMPORAL_TLS_${string}_PATH`) => readFile(name, values[name], problems)
  const { TEMPORAL_TLS_SERVER_NAME: serverNameOverride, TEMPORAL_API_KEY: apiKey } = values
  const serverRootCACertificate = file('TEMPORAL_TLS_SERVER_CA_CERT_PATH')
  const [crt, key] = [file('TEMPORAL_TLS_CLIENT_CERT_PATH'), file('TEMPORAL_TLS_CLIENT_KEY_PATH')]
  if ((values.TEMPORAL_TLS_CLIENT_CERT_PATH === undefined) !== (values.TEMPORAL_TLS_CLIENT_KEY_PATH === undefined))
    problems.push('TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH belong together, and one is missing')
  const namespaces = { live: values.TEMPORAL_NAMESPACE_LIVE, sandbox: values.TEMPORAL_NAMESPACE_SANDBOX }
  if (namespaces.live === namespaces.sandbox)
    problems.push('TEMPORAL_NAMESPACE_LIVE and TEMPORAL_NAMESPACE_SANDBOX are the same; each environment has its own')
  const needsTls = named.filter((name) => /^TEMPORAL_(TLS_|API_KEY)/.test(name))
  if (values.TEMPORAL_TLS === false && needsTls.length > 0)
    problems.push(`TEMPORAL_TLS is "false", while ${needsTls.join(', ')} would be sent over TLS only`)
  const tls = {
    ...(serverRootCACertificate && { serverRootCACertificate }),
    ...(serverNameOverride && { serverNameOverride }),
    ...(crt && key && { clientCertPair: { crt, key } }),
  }
  return {
    tls: values.TEMPORAL_TLS === true || needsTls.length > 0 ? tls : undefined,
    apiKey,
    namespaces,
  }
}

/** Either all keys are in the environment or none: a mixture of two places would be a mixture of two secrets. */
function readKeys(given: Variables, problems: string[]): Keys | undefined {
  const isNamed = (name: string) => given[name] !== undefined || given[`${name}_FILE`] !== undefined
  if (!KEY_VARIABLES.some(isNamed)) return undefined
  const result = parseKeys(given)
  if ('keys' in result) return result.keys
  for (const { name, accepted } of result.problems) {
    // That its file cannot be read has been said.
    if (given[name] === undefined && isNamed(name)) continue
    const what =
      given[name] === undefined
        ? 'is missing, while other keys are given; take them away to use DATA_DIR/keys.json'
        : 'cannot be read'
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
