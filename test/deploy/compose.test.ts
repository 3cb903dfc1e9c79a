import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { DCLinter } from 'dclint'
import { parse } from 'yaml'
import { SETTING_NAMES } from '../../src/config.ts'
import { DYNAMIC_CONFIG } from '../../src/embedded/temporal-server.ts'
import { DRAIN_MS } from '../../src/http/server/http-server.ts'
import { SHUTDOWN_FORCE_MS } from '../../src/temporal/workers.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FILE = join(ROOT, 'docker-compose.temporal.yml')
const TEXT = readFileSync(FILE, 'utf8')

interface Service {
  image: string
  build?: string
  environment?: Record<string, string | number | boolean>
  command?: string[]
  volumes?: string[]
  ports?: string[]
  networks?: string[]
  env_file?: unknown[]
  depends_on?: Record<string, { condition: string }>
  read_only?: boolean
  cap_drop?: string[]
  stop_grace_period?: string
}
const { services } = parse(TEXT, { merge: true }) as { services: Record<string, Service> }

interface LintMessage {
  rule: string
  severity: string
  message: string
}

/** What a linter finds fault with: the schema of the compose specification, and rules about more than taste. */
function faultsOf(file: string): string[] {
  const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] })
  const [result] = linter.lintFiles([file], false) as { messages: LintMessage[] }[]
  return (result?.messages ?? [])
    .filter(({ severity }) => severity === 'critical' || severity === 'major')
    .map(({ rule, message }) => `${rule}: ${message}`)
}

test('git ignores what holds secrets', () => {
  const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['.env', 'deploy/holdfast.env', 'keys.json']))
})

describe('docker-compose.temporal.yml', () => {
  test('is as the compose specification has it', () => {
    expect(faultsOf(FILE)).toEqual([])
  })

  test('names only images whose digest is known, and ours', () => {
    for (const { image, build } of Object.values(services)) {
      if (build === undefined) expect(image).toMatch(/:[\d.]+@sha256:[0-9a-f]{64}$/)
      else expect(image).toBe(`holdfast:${versionOf('package.json')}`)
    }
  })

  test('starts what the others need first, and waits for it', () => {
    const conditionsOf = (name: string) =>
      Object.fromEntries(Object.entries(services[name]?.depends_on ?? {}).map(([on, { condition }]) => [on, condition]))
    expect(conditionsOf('temporal-schema')).toEqual({ postgres: 'service_healthy' })
    expect(conditionsOf('temporal')).toEqual({ 'temporal-schema': 'service_completed_successfully' })
    expect(conditionsOf('migrate')).toEqual({ postgres: 'service_healthy', temporal: 'service_healthy' })
    for (const name of ['api', 'worker'])
      expect(conditionsOf(name)).toEqual({
        keys: 'service_completed_successfully',
        migrate: 'service_completed_successfully',
      })
  })

  test('gives the service settings that it knows, on a file system for reading', () => {
    for (const name of ['api', 'worker', 'migrate']) {
      const { environment = {}, read_only: isReadOnly, cap_drop: dropped } = services[name] ?? ({} as Service)
      expect(Object.keys(environment).filter((variable) => !SETTING_NAMES.includes(variable))).toEqual([])
      expect(environment).toMatchObject({ TEMPORAL_ADDRESS: 'temporal:7233', DATA_DIR: '/var/lib/holdfast' })
      expect([isReadOnly, dropped]).toEqual([true, ['ALL']])
    }
  })

  test('gives each service only the keys and passwords that it needs', () => {
    const all = 'keys:/var/lib/holdfast'
    const payloads = 'payload-keys:/var/lib/holdfast-codec'
    const given = Object.entries(services).map(([name, { volumes = [], environment = {} }]) => {
      const passwords = Object.values(environment).flatMap(
        (value) => String(value).match(/\w+_(?:PASSWORD|TOKEN)\b/g) ?? [],
      )
      return [name, [...volumes.filter((volume) => /keys:/.test(volume)), ...new Set(passwords)].toSorted()]
    })
    expect(Object.fromEntries(given)).toEqual({
      postgres: ['HOLDFAST_DB_PASSWORD', 'HOLDFAST_OWNER_DB_PASSWORD', 'POSTGRES_PASSWORD', 'TEMPORAL_DB_PASSWORD'],
      'temporal-schema': ['TEMPORAL_DB_PASSWORD'],
      temporal: ['TEMPORAL_DB_PASSWORD'],
      'temporal-ui': [],
      keys: [all, payloads],
      migrate: ['HOLDFAST_OWNER_DB_PASSWORD'],
      api: ['HOLDFAST_DB_PASSWORD', `${all}:ro`],
      worker: ['HOLDFAST_DB_PASSWORD', `${all}:ro`],
      'codec-server': ['CODEC_DEVELOPER_TOKEN', 'CODEC_SUPPORT_TOKEN', `${payloads}:ro`],
      admin: ['HOLDFAST_DB_PASSWORD', all],
    })
    for (const name of ['keys', 'codec-server']) expect(services[name]?.env_file).toEqual([])
    expect(services['codec-server']).toMatchObject({
      environment: { PAYLOAD_KEYS_FILE: '/var/lib/holdfast-codec/payload-keys' },
      networks: ['codec'],
    })
    expect(services.keys?.command).toEqual([
      ...['node', 'src/keys.ts', '--payload-keys'],
      services['codec-server']?.environment?.PAYLOAD_KEYS_FILE,
    ])
  })

  test('runs the service as a user who does not own its tables, and migrates as their owner', () => {
    const userOf = (name: string) => /\/\/(\w+):/.exec(String(services[name]?.environment?.DATABASE_URL))?.[1]
    for (const name of ['api', 'worker', 'admin']) expect(userOf(name)).toBe('holdfast_service')
    expect(userOf('migrate')).toBe('holdfast')
    const init = readFileSync(join(ROOT, 'deploy/postgres-init.sh'), 'utf8')
    expect(init).toMatch(/create role holdfast_service login/)
    expect(init).toContain('create database holdfast owner holdfast;')
    expect(services.postgres?.volumes).toContain(
      `./deploy/postgres-rights.sql:${/--file (\S+)/.exec(init)?.[1] ?? 'nowhere'}:ro`,
    )
  })

  test('lets nobody write by a UI without sign-in', () => {
    expect(services['temporal-ui']?.environment).toMatchObject({ TEMPORAL_DISABLE_WRITE_ACTIONS: true })
  })

  test('gives API and worker the time that they take to stop', () => {
    const graceOf = (name: string) => 1000 * Number.parseInt(services[name]?.stop_grace_period ?? '', 10)
    expect(graceOf('api')).toBeGreaterThan(DRAIN_MS)
    expect(graceOf('worker')).toBeGreaterThan(SHUTDOWN_FORCE_MS)
  })

  test('opens nothing beyond this machine', () => {
    const open = Object.values(services).flatMap(({ ports = [] }) => ports)
    expect(open).toHaveLength(3)
    for (const port of open) expect(port).toMatch(/^127\.0\.0\.1:/)
  })

  test('asks for no variable that the example does not explain, and the example for none that is not used', () => {
    const asked = [...TEXT.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name)
    const example = readFileSync(join(ROOT, 'deploy/compose.env.example'), 'utf8')
    const explained = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)
    // Compose itself reads which file is meant.
    expect([...new Set([...asked, 'COMPOSE_FILE'])].toSorted()).toEqual(explained.toSorted())
    expect(example).toContain('\nCOMPOSE_FILE=docker-compose.temporal.yml\n')
  })
})

describe('deploy/temporal-dynamic-config.yaml', () => {
  test('sets what the embedded server sets, and lets time be skipped in the sandbox only', () => {
    const file = parse(readFileSync(join(ROOT, 'deploy/temporal-dynamic-config.yaml'), 'utf8')) as Record<
      string,
      [{ value: unknown; constraints?: object }]
    >
    // On the command line of the embedded server, texts are given as JSON.
    const embedded = Object.entries(DYNAMIC_CONFIG).map(([key, value]) => [key, [{ value: JSON.parse(String(value)) }]])
    expect(file).toEqual({
      ...Object.fromEntries(embedded),
      'frontend.WorkflowTimeSkippingEnabled': [{ value: true, constraints: { namespace: 'sandbox' } }],
    })
  })
})

function versionOf(file: string): string {
  return (JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as { version: string }).version
}
