import { describe, expect, test } from '@jest/globals'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { createVault } from '../../src/vault/vault.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { actsOn } from './acts.ts'
import { adminStageForFile, shownInstant } from './stage.ts'

const stage = adminStageForFile()

describe('a gateway configuration', () => {
  test('is drained once and resumed once, and what the merchant has disabled stays so', async () => {
    const { projectId } = await stage.createProject('Draining shop')
    const em = stage.api.database.orm.em.fork()
    const current = () =>
      em.findOneOrFail(GatewayConfigurationEntity, { projectId }, { disableIdentityMap: true, refresh: true })
    const { id } = await current()

    const drained = await stage.admin('gateways', 'drain', id)
    expect(drained).toEqual({
      code: 0,
      stdout: `${id} takes no new authorizations.\nNo payment is open there.\n`,
      stderr: '',
    })
    const { drainingSince } = await current()
    expect(drainingSince).toBeInstanceOf(Date)
    const since = shownInstant(drainingSince)
    expect((await stage.admin('gateways', 'drain', id)).stdout).toContain(` has been draining since ${since}`)
    expect((await current()).drainingSince).toEqual(drainingSince)
    const listed = await stage.admin('gateways', 'list', `test-${projectId}`)
    expect(listed.stdout).toMatch(new RegExp(`^${id} +sandbox +simulator +Simulator +yes +${since} +0$`, 'm'))

    await em.nativeUpdate(GatewayConfigurationEntity, { id }, { enabled: false })
    expect((await stage.admin('gateways', 'resume', id)).stdout).toBe(
      `${id} takes authorizations again.\nIt is disabled all the same.\n`,
    )
    expect(await current()).toMatchObject({ enabled: false, drainingSince: null })
    expect((await stage.admin('gateways', 'resume', id)).stdout).toContain(`${id} was not draining.`)
    expect((await actsOn(stage, projectId)).slice(2)).toMatchObject([
      { kind: 'gateway-configuration.drained', sandbox: true, facts: { gateway_configuration_id: id } },
      { kind: 'gateway-configuration.resumed', sandbox: true, facts: { gateway_name: 'simulator' } },
    ])
  })

  test('is shown with its settings and the names of its credentials, never a value', async () => {
    const { projectId } = await stage.createProject('Showing shop')
    const em = stage.api.database.orm.em.fork()
    const { id } = await em.findOneOrFail(GatewayConfigurationEntity, { projectId })
    const plain = await stage.admin('gateways', 'show', id)
    expect(plain.code).toBe(0)
    expect(plain.stdout).toMatch(/No credentials\n\nNo settings\n$/)

    const secret = 'a key that nobody is shown'
    const encrypted = createVault(TEST_KEYS).encryptCredentials(id, { notification_key: secret })
    await em.nativeUpdate(
      GatewayConfigurationEntity,
      { id },
      {
        credentialsCiphertext: Buffer.from(encrypted.ciphertext),
        credentialsKeyId: encrypted.keyId,
        credentialsHash: encrypted.hash,
        credentialsSetAt: { notification_key: '2026-11-21T09:00:00.000Z' },
        settings: { delay_ms: '5' },
        processingRegion: 'EEA',
        enabled: false,
        deletedAt: new Date('2026-11-21T10:00:00.000Z'),
      },
    )
    const { stdout } = await stage.admin('gateways', 'show', id)
    expect(stdout).toMatch(/^processing region +EEA$/m)
    expect(stdout).toMatch(/^enabled +deleted$/m)
    expect(stdout).toMatch(/^deleted +2026-11-21 10:00:00 UTC$/m)
    expect(stdout).toMatch(/^notification_key +2026-11-21 09:00:00 UTC$/m)
    expect(stdout).toMatch(/^delay_ms +5$/m)
    expect(stdout).not.toContain(secret)
    expect((await stage.admin('gateways', 'list', projectId)).stdout).toMatch(/ Simulator +deleted +- +0$/m)
  })
})
