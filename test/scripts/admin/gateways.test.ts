import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { actsOn } from './acts.ts'
import { type AdminStage, startAdminStage } from './stage.ts'

const TIMEOUT_MS = 60_000

let stage: AdminStage

beforeAll(async () => {
  stage = await startAdminStage()
}, TIMEOUT_MS)
afterAll(() => stage.stop())

describe('a gateway configuration', () => {
  test(
    'is drained once and resumed once, and what the merchant has disabled stays so',
    async () => {
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
      expect((await stage.admin('gateways', 'drain', id)).stdout).toMatch(/ has been draining since 2026-/)
      expect((await current()).drainingSince).toEqual(drainingSince)
      const listed = await stage.admin('gateways', 'list', `test-${projectId}`)
      expect(listed.stdout).toMatch(
        new RegExp(`^${id} +sandbox +simulator +Simulator +yes +2026-\\S+ \\S+ UTC +0$`, 'm'),
      )

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
    },
    TIMEOUT_MS,
  )
})
