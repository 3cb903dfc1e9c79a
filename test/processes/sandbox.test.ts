import { expect, test } from '@jest/globals'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { listMemberships } from '../../src/persistence/queries/people/members.ts'
import { findPersonByEmail, setPassword } from '../../src/persistence/queries/people/people.ts'
import type { Core } from '../../src/processes/core.ts'
import { provideSandbox } from '../../src/processes/sandbox.ts'
import { hashPassword, isPassword } from '../../src/vault/password.ts'
import { createVault } from '../../src/vault/vault.ts'
import { runningClock } from '../support/clock.ts'
import { folderForFile } from '../support/for-file.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seededRandomBytes } from '../support/random.ts'

const ADDRESSES = {
  base_url: 'http://127.0.0.1:1',
  temporal_ui_url: 'http://127.0.0.1:2',
  temporal_address: '127.0.0.1:3',
}

const database = databaseForFile()
const folder = folderForFile()

test('the sandbox project of a machine is made once, with a limit that its developer does not meet', async () => {
  const { orm, name } = database
  const parts = { orm, vault: createVault(TEST_KEYS), clock: runningClock(), randomBytes: seededRandomBytes(name) }
  const first = await provideSandbox(parts as unknown as Core, folder, ADDRESSES)
  const second = await provideSandbox(parts as unknown as Core, folder, ADDRESSES)

  expect(second).toEqual(first)
  const person = await findPersonByEmail(orm.em.fork(), first.dashboard_email)
  expect(await isPassword(String(first.dashboard_password), person?.passwordHash ?? null)).toBe(true)
  expect(await listMemberships(orm.em.fork(), String(person?.id))).toMatchObject([
    { role: 'owner', name: 'Sample shop' },
  ])
  expect(await orm.em.fork().findAll(ProjectEntity)).toMatchObject([
    { name: 'Sample shop', sandboxLimit: 60_000, primaryLimit: 3_000, secondaryLimit: 3_000 },
  ])

  await orm.em
    .fork()
    .transactional(async (em) =>
      setPassword(em, { id: String(person?.id) }, { passwordHash: await hashPassword('a password of my own') }),
    )
  const third = await provideSandbox(parts as unknown as Core, folder, ADDRESSES)
  expect(third).toEqual({ ...first, dashboard_password: null })
})
