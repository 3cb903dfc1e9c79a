import { expect, test } from '@jest/globals'
import { ApiKeyEntity } from '../../src/persistence/entities/api-key.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { createVault } from '../../src/vault/vault.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seededRandomBytes } from '../support/random.ts'

const database = databaseForFile()
const vault = createVault(TEST_KEYS)

const create = (sandbox: boolean) =>
  createProject(database.orm.em.fork(), {
    name: 'Shop',
    sandbox,
    randomBytes: seededRandomBytes(`${database.name} ${sandbox}`),
    hashSecret: vault.hashSecret,
    now: new Date('2026-11-21T09:00:00.000Z'),
  })

test('a sandbox project has a sandbox key and the simulator', async () => {
  const { projectId, secretKey } = await create(true)
  expect(projectId).toMatch(/^proj_[0-9A-Za-z]{32}$/)
  expect(secretKey).toMatch(/^key_sandbox_[0-9A-Za-z]{32}$/)
  const em = database.orm.em.fork()
  expect(await em.find(ApiKeyEntity, { projectId })).toMatchObject([
    { sandbox: true, secretHash: vault.hashSecret(secretKey) },
  ])
  expect(await em.find(GatewayConfigurationEntity, { projectId })).toMatchObject([
    { sandbox: true, gatewayName: 'simulator', enabled: true },
  ])
})

test('a secret key is stored nowhere', async () => {
  const { secretKey } = await createProject(database.orm.em.fork(), {
    name: 'Other shop',
    sandbox: true,
    randomBytes: seededRandomBytes(`${database.name} other`),
    hashSecret: vault.hashSecret,
    now: new Date('2026-11-21T09:00:00.000Z'),
  })
  expect(await database.dump()).not.toContain(secretKey.slice('key_sandbox_'.length))
})
