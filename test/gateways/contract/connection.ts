import { describe, expect, test } from '@jest/globals'
import { CONNECTION_RESULTS } from '../../../src/gateways/connection-test.ts'
import type { Gateway } from '../../../src/gateways/gateway.ts'
import { installedGateway } from '../../../src/gateways/installed.ts'
import { patience, type Stage } from './stage.ts'

export function describeConnection(stage: Stage): void {
  const access = () => {
    const { gatewayConfigurationId, credentials, settings } = stage.questionOf(stage.makeReference())
    return { gatewayConfigurationId, credentials, settings }
  }
  const ask = (on: Gateway, given = access(), signal = patience()) => on.testConnection?.(given, signal)

  describe('a test of the connection, where there is one', () => {
    test('works with the account of these tests', async () => {
      if (stage.gateway.testConnection === undefined) return
      const told = await ask(stage.gateway)
      expect(told).toEqual({ result: 'works', account: told?.account, code: null })
      expect(told?.account === null || typeof told?.account === 'string').toBe(true)
    })

    test('says that the key is refused where it is another one', async () => {
      if (stage.gateway.testConnection === undefined) return
      for (const name of installedGateway(stage.gateway.name)?.callKeys ?? []) {
        const { credentials, ...others } = access()
        const wrong = { ...credentials, [name]: `${credentials[name]}0` }
        expect(await ask(stage.gateway, { ...others, credentials: wrong })).toMatchObject({ result: 'key-refused' })
        const { [name]: _, ...none } = credentials
        expect((await ask(stage.gateway, { ...others, credentials: none }))?.result).not.toBe('works')
      }
    })

    test('says over a line without anybody at its end that nothing was reached', async () => {
      const cut = await stage.over({ kind: 'refuses-connections' })
      if (cut?.testConnection === undefined) return
      expect(await ask(cut)).toEqual({ result: 'not-reached', account: null, code: expect.stringMatching(/./) })
    })

    test.each([200, 402, 500])(
      'never works with an answer %i that is none, and repeats nothing of it',
      async (status) => {
        const quoting = await stage.over({ kind: 'quotes-requests', status })
        if (quoting?.testConnection === undefined) return
        const told = await ask(quoting)
        expect(CONNECTION_RESULTS.filter((result) => !['works', 'not-active'].includes(result))).toContain(told?.result)
      },
    )

    test('ends with its signal', async () => {
      const silent = await stage.over({ kind: 'never-answers' })
      if (silent?.testConnection === undefined) return
      expect(await ask(silent, access(), AbortSignal.timeout(50))).toMatchObject({ result: 'unclear', account: null })
    })
  })
}
