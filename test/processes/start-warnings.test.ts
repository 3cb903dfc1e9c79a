import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { OWN_HOSTS, readConfig } from '../../src/config.ts'
import { createOrm, type Orm } from '../../src/persistence/orm.ts'
import { type Circumstances, DANGERS, warnOfDangers } from '../../src/processes/start-warnings.ts'
import { captureLog } from '../support/captured-log.ts'
import { databaseForFile } from '../support/payment-for-file.ts'

/** A service as it should be. */
const SERVICE: Circumstances = {
  config: {
    host: '0.0.0.0',
    publicUrl: 'https://pay.shop.example',
    databaseUrl: 'postgresql://u@db.internal/x?sslmode=verify-full',
    temporalAddress: 'temporal:7233',
    trustedProxies: 1,
    sandboxHosts: OWN_HOSTS,
  },
  hasApi: true,
  encryptsPayloads: true,
  allowPrivateWebhookTargets: false,
  sharesKeysFile: false,
  ownsTables: false,
}

/** What `npm start` is by default. */
const SANDBOX: Circumstances = {
  config: {
    host: '127.0.0.1',
    publicUrl: undefined,
    databaseUrl: undefined,
    temporalAddress: undefined,
    trustedProxies: 0,
    sandboxHosts: OWN_HOSTS,
  },
  hasApi: true,
  encryptsPayloads: false,
  allowPrivateWebhookTargets: true,
  sharesKeysFile: false,
  ownsTables: true,
}

const { config: given } = SERVICE
const own = SANDBOX.config
const OPEN = [/sandbox of one machine/, /Payloads are not encrypted/, /PRIVATE_WEBHOOK_TARGETS/]

describe('at its start a process warns', () => {
  test.each<[string, Circumstances, RegExp[]]>([
    ['of nothing where all is as it should be', SERVICE, []],
    ['of nothing in the sandbox of a machine', SANDBOX, []],
    ['of a sandbox that listens for others', { ...SANDBOX, config: { ...own, host: '0.0.0.0' } }, OPEN],
    [
      'of a sandbox with a public address',
      { ...SANDBOX, config: { ...own, publicUrl: 'https://pay.example', trustedProxies: 1 } },
      OPEN,
    ],
    [
      'of plain HTTP in public',
      { ...SERVICE, config: { ...given, publicUrl: 'http://pay.shop.example' } },
      [/PUBLIC_URL is http:/],
    ],
    ['of no plain HTTP on this machine', { ...SERVICE, config: { ...given, publicUrl: 'http://localhost:3000' } }, []],
    [
      'of an API behind a proxy that is not counted',
      { ...SERVICE, config: { ...given, trustedProxies: 0 } },
      [/TRUSTED_PROXIES is 0/],
    ],
    ['of no proxy before a worker', { ...SERVICE, hasApi: false, config: { ...given, trustedProxies: 0 } }, []],
    ['of payloads in plain', { ...SERVICE, encryptsPayloads: false }, [/Payloads are not encrypted/]],
    ['of private targets', { ...SERVICE, allowPrivateWebhookTargets: true }, [/PRIVATE_WEBHOOK_TARGETS/]],
    ['of a user who owns the tables', { ...SERVICE, ownsTables: true }, [/owns the tables/]],
    [
      'of a stand-in of a gateway',
      { ...SERVICE, config: { ...given, sandboxHosts: { ...OWN_HOSTS, adyen: 'http://127.0.0.1:4020' } } },
      [/go to a stand-in on this machine/],
    ],
    ['of keys that others can read', { ...SANDBOX, sharesKeysFile: true }, [/chmod 600/]],
    [
      'of a database in plain',
      { ...SERVICE, config: { ...given, databaseUrl: 'postgresql://u@db.internal/x' } },
      [/sslmode=verify-full/],
    ],
  ])('%s', (_, found, expected) => {
    const warnings = DANGERS.filter(({ holds }) => holds(found)).map(({ warning }) => warning)
    expect(warnings).toEqual(expected.map((words) => expect.stringMatching(words)))
  })
})

describe('what a process finds', () => {
  const database = databaseForFile()
  const folders: string[] = []
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

  async function warned(orm: Orm, folder: string): Promise<string> {
    const config = readConfig({ DATA_DIR: folder, DATABASE_URL: database.url, TEMPORAL_ADDRESS: 'temporal:7233' })
    const log = captureLog()
    await warnOfDangers({ orm, logger: log.logger }, { ...SERVICE, config })
    return log.text()
  }

  test('is who may read its keys, and whether its user owns the tables', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-warnings-'))
    folders.push(folder)
    const file = join(folder, 'keys.json')
    await writeFile(file, '{}', { mode: 0o600 })
    await chmod(file, 0o640)
    const text = await warned(database.orm, folder)
    expect(text).toContain('Other users of this machine can read keys.json')
    expect(text).toContain('owns the tables')
    await chmod(file, 0o600)
    const service = await createOrm({ databaseUrl: database.url, poolMax: 1 })
    try {
      expect(await warned(service, folder)).toBe('')
    } finally {
      await service.close(true)
    }
  })
})
