import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import type { Core } from '../../src/processes/core.ts'
import { provideSandbox } from '../../src/processes/sandbox.ts'
import { createVault } from '../../src/vault/vault.ts'
import { runningClock } from '../support/clock.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { seededRandomBytes } from '../support/random.ts'

const ADDRESSES = {
  base_url: 'http://127.0.0.1:1',
  temporal_ui_url: 'http://127.0.0.1:2',
  temporal_address: '127.0.0.1:3',
}

let database: TestDatabase
let folder: string

beforeAll(async () => {
  database = await makeDatabase()
  folder = await mkdtemp(join(tmpdir(), 'holdfast-sandbox-'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test('the sandbox project of a machine is made once, with a limit that its developer does not meet', async () => {
  const { orm, name } = database
  const parts = { orm, vault: createVault(TEST_KEYS), clock: runningClock(), randomBytes: seededRandomBytes(name) }
  const first = await provideSandbox(parts as unknown as Core, folder, ADDRESSES)
  const second = await provideSandbox(parts as unknown as Core, folder, ADDRESSES)

  expect(second).toEqual(first)
  expect(await orm.em.fork().findAll(ProjectEntity)).toMatchObject([
    { name: 'Sandbox', sandboxLimit: 60_000, primaryLimit: 3_000, secondaryLimit: 3_000 },
  ])
})
