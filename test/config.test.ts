import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  ConfigurationError,
  misspeltSettings,
  readCodecServerConfig,
  readConfig,
  readConfigWith,
  SETTING_NAMES,
} from '../src/config.ts'

const key = () => randomBytes(32).toString('base64')
const keyVariables = () => ({
  CARD_NUMBER_KEYS: `old:${key()},new:${key()}`,
  SECURITY_CODE_KEYS: `k1:${key()}`,
  PAYLOAD_KEYS: `p1:${key()}`,
  FINGERPRINT_KEY: key(),
  API_SECRET_HASH_KEY: key(),
  CLIENT_SECRET_KEY: key(),
})
const servers = { DATABASE_URL: 'postgresql://u:p@db/holdfast', TEMPORAL_ADDRESS: 'temporal:7233' }

const complaintOf = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message
    throw error
  }
  throw new Error('The environment was accepted.')
}

describe('the environment', () => {
  test('lists every wrong value in one error', () => {
    const complaint = complaintOf(() =>
      readConfig({ PORT: 'http', TEMPORAL_UI_PORT: '70000', LOG_LEVEL: 'loud', PUBLIC_URL: 'shop.example' }),
    )
    expect(complaint).toContain('4 wrong settings')
    expect(complaint).toContain('PORT is "http", accepted is a port number from 0 to 65535')
    expect(complaint).toContain('TEMPORAL_UI_PORT is "70000"')
    expect(complaint).toContain(
      'LOG_LEVEL is "loud", accepted is one of trace, debug, info, warn, error, fatal, silent',
    )
    expect(complaint).toContain('PUBLIC_URL is "shop.example"')
  })

  test.each([
    ['PORT', '-1'],
    ['PORT', '3e3'],
    ['PORT', ' 3000'],
    ['PORT', '0x50'],
    ['PORT', '65536'],
    ['HOST', 'http://localhost'],
    ['TEMPORAL_ADDRESS', 'localhost'],
    ['TEMPORAL_ADDRESS', 'http://localhost:7233'],
    ['PUBLIC_URL', 'ftp://shop.example'],
    ['SANDBOX_STRIPE_URL', 'http://stand-in.example'],
    ['SANDBOX_STRIPE_URL', 'http://127.0.0.1.example'],
    ['SANDBOX_ADYEN_URL', 'https://localhost:4020'],
    ['SANDBOX_ADYEN_URL', '127.0.0.1:4020'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'localhost/x'],
    ['DATABASE_URL', 'postgresql://localhost/x?sslmode=prefer'],
    ['DATABASE_URL', 'postgresql://localhost/x?sslmode=require&sslmode=allow'],
    ['DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS', 'yes'],
    ['PAYLOAD_ENCRYPTION', 'true'],
    ['WORKFLOW_CALL_STACKS', 'true'],
    ['METRICS_PORT', 'on'],
    ['SHUTDOWN_DELAY_SECONDS', '5s'],
    ['SHUTDOWN_DELAY_SECONDS', '301'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['METRICS_HOST', 'http://metrics'],
    ['TRUSTED_PROXIES', 'true'],
    ['TRUSTED_PROXIES', '-1'],
    ['TRUSTED_PROXIES', '10'],
  ])('refuses %s=%s', (name, value) => {
    expect(complaintOf(() => readConfig({ [name]: value }))).toContain(`${name} is`)
  })

  test('never repeats a password or a key in an error', () => {
    const complaint = complaintOf(() =>
      readConfig({ ...keyVariables(), DATABASE_URL: 'mysql://u:hunter2@db/x', FINGERPRINT_KEY: 'hunter3' }),
    )
    expect(complaint).toContain('DATABASE_URL is not a postgresql:// address')
    expect(complaint).toContain('FINGERPRINT_KEY cannot be read')
    expect(complaint).not.toContain('hunter')
  })

  test('serves metrics on a port of their own, to this machine only, and only where it is named', () => {
    expect(readConfig({}).metricsAt).toBeUndefined()
    expect(readConfig({ METRICS_HOST: '0.0.0.0' }).metricsAt).toBeUndefined()
    expect(readConfig({ HOST: '0.0.0.0', METRICS_PORT: '9464' }).metricsAt).toEqual({ host: '127.0.0.1', port: 9464 })
  })

  test('has no web interface of Temporal where it is off', () => {
    expect(readConfig({ TEMPORAL_UI_PORT: 'off' }).temporalUiPort).toBeUndefined()
    expect(readConfig({ TEMPORAL_UI_PORT: '8300' }).temporalUiPort).toBe(8300)
    const complaint = complaintOf(() => readConfig({ TEMPORAL_UI_PORT: 'none' }))
    expect(complaint).toContain('TEMPORAL_UI_PORT is "none", accepted is a port number from 0 to 65535, or off')
  })

  describe('a Temporal that is given', () => {
    const TEMPORAL_ADDRESS = 'ns.account.tmprl.cloud:7233'
    const accessOf = (settings: Record<string, string>) => readConfig({ TEMPORAL_ADDRESS, ...settings }).temporalAccess

    test('is reached in plain where nothing else is said, and over TLS where anything of it is', () => {
      const namespaces = { live: 'live', sandbox: 'sandbox' }
      expect(accessOf({})).toEqual({ tls: undefined, apiKey: undefined, namespaces })
      expect(readConfig({}).temporalAccess).toEqual({ tls: undefined, apiKey: undefined, namespaces })
      expect(accessOf({ TEMPORAL_TLS: 'true' }).tls).toEqual({})
      expect(accessOf({ TEMPORAL_TLS: 'false' }).tls).toBeUndefined()
      expect(accessOf({ TEMPORAL_API_KEY: 'key' })).toMatchObject({ tls: {}, apiKey: 'key' })
      expect(accessOf({ TEMPORAL_TLS_SERVER_NAME: 'temporal' }).tls).toEqual({ serverNameOverride: 'temporal' })
      const renamed = { TEMPORAL_NAMESPACE_LIVE: 'pay.a1b2c', TEMPORAL_NAMESPACE_SANDBOX: 'pay-test.a1b2c' }
      expect(accessOf(renamed).namespaces).toEqual({ live: 'pay.a1b2c', sandbox: 'pay-test.a1b2c' })
    })

    test.each<[string, Record<string, string>]>([
      [
        'TEMPORAL_TLS_SERVER_CA_CERT_PATH names a file that cannot be read (ENOENT)',
        { TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/no/ca.pem' },
      ],
      ['belong together, and one is missing', { TEMPORAL_TLS_CLIENT_CERT_PATH: 'package.json' }],
      ['belong together, and one is missing', { TEMPORAL_TLS_CLIENT_KEY_PATH: 'package.json' }],
      [
        'TEMPORAL_TLS is "false", while TEMPORAL_API_KEY would be sent over TLS only',
        { TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'k' },
      ],
      ['TEMPORAL_TLS is "maybe"', { TEMPORAL_TLS: 'maybe' }],
      ['TEMPORAL_NAMESPACE_LIVE is "a b"', { TEMPORAL_NAMESPACE_LIVE: 'a b' }],
      ['TEMPORAL_NAMESPACE_SANDBOX are the same', { TEMPORAL_NAMESPACE_LIVE: 'sandbox' }],
    ])('is refused: %s', (sentence, given) => {
      expect(complaintOf(() => readConfig({ TEMPORAL_ADDRESS, ...given }))).toContain(sentence)
    })

    test('has to be given where something is said about it, and its key is never repeated', () => {
      const complaint = complaintOf(() => readConfig({ TEMPORAL_API_KEY: 'hunter2', TEMPORAL_TLS: 'false' }))
      expect(complaint).toContain('TEMPORAL_ADDRESS is missing, while TEMPORAL_TLS, TEMPORAL_API_KEY are given')
      expect(complaint).not.toContain('hunter2')
    })
  })

  test('starts everything itself, on loopback, when nothing is said', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ host: '127.0.0.1', port: 3000, temporalUiPort: 8233, logLevel: 'info' })
    expect(config.databaseUrl).toBeUndefined()
    expect(config.temporalAddress).toBeUndefined()
    expect(config.dangerouslyAllowPrivateWebhookTargets).toBeUndefined()
    expect(config.trustedProxies).toBe(0)
    expect(config.dataFolder).toBe(`${process.cwd()}/.data`)
  })

  test('takes an empty value for an absent one and ignores what it does not know', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', SHELL: '/bin/zsh' })).toEqual(readConfig({}))
  })

  test('cannot be changed after it was read', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true)
  })

  test('drops the slash at the end of PUBLIC_URL', () => {
    expect(readConfig({ PUBLIC_URL: 'https://pay.example/' }).publicUrl).toBe('https://pay.example')
  })

  test('accepts an IPv6 address for Temporal', () => {
    expect(readConfig({ TEMPORAL_ADDRESS: '[::1]:7233' }).temporalAddress).toBe('[::1]:7233')
  })
})

describe('keys in the environment', () => {
  test('are refused when only some are given, with the names of the missing ones', () => {
    const { CLIENT_SECRET_KEY: _, ...rest } = keyVariables()
    expect(complaintOf(() => readConfig(rest))).toContain(
      'CLIENT_SECRET_KEY is missing, while other keys are given; take them away to use DATA_DIR/keys.json;',
    )
  })

  test.each([
    ['no id', () => key()],
    ['a short key', () => `a:${randomBytes(16).toString('base64')}`],
    ['the same id twice', () => `a:${key()},a:${key()}`],
    ['a key that is not base64', () => `a:${'-'.repeat(43)}=`],
    ['nothing after the comma', () => `a:${key()},`],
  ])('are refused with %s', (_, ring) => {
    const environment = { ...keyVariables(), CARD_NUMBER_KEYS: ring() }
    expect(complaintOf(() => readConfig(environment))).toContain('CARD_NUMBER_KEYS cannot be read')
  })

  test('have the last one of a ring as the current one', () => {
    const environment = keyVariables()
    const { keys } = readConfig(environment)
    expect(keys?.cardNumber.current).toBe('new')
    expect([...(keys?.cardNumber.keys.keys() ?? [])]).toEqual(['old', 'new'])
    expect(keys?.fingerprint.toString('base64')).toBe(environment.FINGERPRINT_KEY)
  })
})

describe('the codec server', () => {
  const TOKEN = 't'.repeat(32)
  const ring = () => ({ PAYLOAD_KEYS: `p1:${key()},p2:${key()}` })

  test('needs no key but those of payloads, and no server', () => {
    const config = readCodecServerConfig({
      ...ring(),
      CODEC_SUPPORT_TOKEN: TOKEN,
      TEMPORAL_UI_URL: 'https://temporal.internal/ui',
    })
    expect(config.payloadKeys?.current).toBe('p2')
    expect(config).toMatchObject({
      port: 8081,
      uiOrigins: ['https://temporal.internal'],
      tokens: { developer: undefined, support: TOKEN },
    })
  })

  test('serves the UI of npm start where no other is named', () => {
    const { uiOrigins } = readCodecServerConfig({ ...ring(), CODEC_SUPPORT_TOKEN: TOKEN, TEMPORAL_UI_PORT: '1' })
    expect(uiOrigins).toEqual(['http://127.0.0.1:1', 'http://localhost:1'])
  })

  test.each([
    ['without a token', {}, 'without one of them nobody may ask'],
    ['with a short token', { CODEC_SUPPORT_TOKEN: 'hunter2' }, 'CODEC_SUPPORT_TOKEN is not 32 to 128 letters'],
    ['with one token for both', { CODEC_SUPPORT_TOKEN: TOKEN, CODEC_DEVELOPER_TOKEN: TOKEN }, 'are the same'],
    ['with a broken ring', { CODEC_SUPPORT_TOKEN: TOKEN, PAYLOAD_KEYS: 'hunter2' }, 'PAYLOAD_KEYS is not one or more'],
  ])('does not start %s', (_, given, sentence) => {
    const complaint = complaintOf(() => readCodecServerConfig({ ...ring(), ...given }))
    expect(complaint).toContain(sentence)
    expect(complaint).not.toContain('hunter')
  })

  test('does not start without keys', () => {
    const given = { CODEC_SUPPORT_TOKEN: TOKEN, DATA_DIR: join(tmpdir(), 'no-such-folder') }
    expect(complaintOf(() => readCodecServerConfig(given))).toContain('The keys are missing; give PAYLOAD_KEYS')
  })
})

describe('a secret in a file', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-secrets-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const fileWith = async (name: string, content: string) => {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }

  test('is refused beside the same secret in the environment', async () => {
    const DATABASE_URL_FILE = await fileWith('url', 'postgresql://u:hunter2@db/x')
    const complaint = complaintOf(() => readConfig({ ...servers, DATABASE_URL_FILE }))
    expect(complaint).toContain('DATABASE_URL and DATABASE_URL_FILE are both given, accepted is one of them')
    expect(complaint).not.toContain('hunter')
  })

  test.each([
    ['that is not there', () => 'hunter2', 'cannot be read (ENOENT)'],
    ['that is a folder', () => folder, 'cannot be read (EISDIR)'],
    ['that is empty', () => fileWith('empty', '\n'), 'is empty'],
  ])('is refused when it names a file %s, without path and content', async (_, path, sentence) => {
    const environment = { ...keyVariables(), FINGERPRINT_KEY: '', FINGERPRINT_KEY_FILE: await path() }
    const complaint = complaintOf(() => readConfig(environment))
    expect(complaint).toContain(`one wrong setting:\n  - FINGERPRINT_KEY_FILE names a file that ${sentence}.`)
    expect(complaint).not.toMatch(/hunter|holdfast-secrets/)
  })

  test('is refused when what it holds is wrong, without the content', async () => {
    const DATABASE_URL_FILE = await fileWith('url', 'mysql://u:hunter2@db/x\n')
    const CARD_NUMBER_KEYS_FILE = await fileWith('ring', 'hunter3')
    const { CARD_NUMBER_KEYS: _, ...others } = keyVariables()
    const complaint = complaintOf(() => readConfig({ ...others, DATABASE_URL_FILE, CARD_NUMBER_KEYS_FILE }))
    expect(complaint).toContain('DATABASE_URL is not a postgresql:// address')
    expect(complaint).toContain('CARD_NUMBER_KEYS cannot be read')
    expect(complaint).not.toContain('hunter')
  })

  test('counts as given to a process that starts no servers', () => {
    const needs = { servers: ['databaseUrl'], keys: true } as const
    const named = { DATABASE_URL_FILE: '/nowhere/url', CLIENT_SECRET_KEY_FILE: '/nowhere/key', DATA_DIR: '/nowhere' }
    const complaint = complaintOf(() => readConfigWith(needs, named))
    expect(complaint).not.toMatch(/DATABASE_URL is missing|The keys are missing|CLIENT_SECRET_KEY is missing/)
  })

  test('is worth the same as in the environment, whatever line end it has, for every secret there is', async () => {
    const environment = { ...servers, ...keyVariables() }
    const { TEMPORAL_ADDRESS, ...secrets } = environment
    const files = await Promise.all(
      Object.entries(secrets).map(async ([name, value], index) => [
        `${name}_FILE`,
        await fileWith(name, value + ['', '\n', '\r\n'][index % 3]),
      ]),
    )
    expect(readConfig({ TEMPORAL_ADDRESS, ...Object.fromEntries(files) })).toEqual(readConfig(environment))
  })
})

describe('how long things are kept', () => {
  const HOUR_MS = 60 * 60 * 1000

  test.each([
    ['RETENTION_IDEMPOTENCY_HOURS', '71', 'a number of hours from 72 (merchants may repeat a request for that long)'],
    ['RETENTION_IDEMPOTENCY_HOURS', '721', 'to 720'],
    ['RETENTION_API_REQUESTS_DAYS', '0', 'a number of days from 1'],
    ['RETENTION_API_REQUESTS_DAYS', '30d', 'a number of days from 1'],
    ['RETENTION_WEBHOOK_ATTEMPTS_DAYS', '6', 'a number of days from 7'],
    ['RETENTION_GATEWAY_CREDENTIALS_DAYS', '-1', 'a number of days from 0'],
    ['RETENTION_CARD_NUMBERS_DAYS', '-1', 'a number of days from 1'],
    ['RETENTION_CARD_NUMBERS_DAYS', '0.5', 'a number of days from 1'],
  ])('is refused for %s=%s', (name, value, accepted) => {
    const complaint = complaintOf(() => readConfig({ [name]: value }))
    expect(complaint).toContain(`${name} is "${value}", accepted is `)
    expect(complaint).toContain(accepted)
  })

  test('may be as short and as long as the bounds themselves', () => {
    const keptFor = (hours: string) => readConfig({ RETENTION_IDEMPOTENCY_HOURS: hours }).retention.idempotencyKeysMs
    expect([keptFor('72'), keptFor('720')]).toEqual([72 * HOUR_MS, 720 * HOUR_MS])
  })

  test('has the periods of the documentation, where nothing is said', () => {
    const { retention } = readConfig({ RETENTION_API_REQUESTS_DAYS: '90' })
    expect(retention).toEqual({
      idempotencyKeysMs: 72 * HOUR_MS,
      apiRequestsMs: 90 * 24 * HOUR_MS,
      webhookAttemptsMs: 90 * 24 * HOUR_MS,
      cardNumbersMs: 7 * 24 * HOUR_MS,
      gatewayCredentialsMs: 180 * 24 * HOUR_MS,
    })
  })
})

describe('a process that starts no servers', () => {
  const needs = { servers: ['databaseUrl', 'temporalAddress'], keys: true } as const

  test('says in one error what is missing and what else is wrong', () => {
    const complaint = complaintOf(() => readConfigWith(needs, { PORT: 'x', DATA_DIR: '/nowhere' }))
    expect(complaint).toContain('4 wrong settings')
    expect(complaint).toContain('PORT is "x"')
    expect(complaint).toContain('DATABASE_URL is missing')
    expect(complaint).toContain('TEMPORAL_ADDRESS is missing')
    expect(complaint).toContain('The keys are missing')
    expect(complaint).toContain('/nowhere/keys.json once with npm run keys')
  })

  test('does not ask for what it does not need', () => {
    const config = readConfigWith({ servers: ['databaseUrl'], keys: false }, { DATABASE_URL: servers.DATABASE_URL })
    expect(config.databaseUrl).toBe(servers.DATABASE_URL)
  })

  test('accepts an environment that names servers and keys', () => {
    expect(readConfigWith(needs, { ...servers, ...keyVariables() })).toMatchObject({
      databaseUrl: servers.DATABASE_URL,
      temporalAddress: 'temporal:7233',
    })
  })
})

test.each([
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['RETENTION_API_REQUEST_DAYS', 'RETENTION_API_REQUESTS_DAYS'],
  ['METRIC_PORT', 'METRICS_PORT'],
  ['DTABASE_URL', 'DATABASE_URL'],
])('%s is almost the setting %s', (name, setting) => {
  expect(misspeltSettings({ [name]: '1' })).toEqual([{ name, setting }])
})

test('settings, and names of others in an environment, are no misspelt ones', () => {
  const others = [
    'HOSTNAME',
    'PATH',
    'PWD',
    'POSTGRES_HOST',
    'POSTGRES_PASSWORD',
    'DATABASE_USER',
    'TEMPORAL_CLI_ADDRESS',
  ]
  const more = [
    'TEMPORAL_TLS_CLIENT_CERT_DATA',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    'HTTP_PORT',
  ]
  expect(
    misspeltSettings(Object.fromEntries([...SETTING_NAMES, ...others, ...more].map((name) => [name, '1']))),
  ).toEqual([])
})
