import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { GATEWAYS } from '../../src/gateways/installed.ts'

const page = readFileSync(new URL('../../docs/gateway-configurations.md', import.meta.url), 'utf8')
const [, gateways = ''] = page.split('\n## Gateways\n')

const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** Of every gateway: they stand above the table. */
const COMMON = ['max_concurrent_calls', 'timeout_ms']

describe('docs/gateway-configurations.md', () => {
  test.each(GATEWAYS.map((gateway) => [gateway.name, gateway] as const))(
    'names every credential and setting of %s, and no other',
    (name, { credentials: credentialFields, settings: settingFields }) => {
      const row = gateways.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))
      const [, , credentials, settings] = row?.split('|') ?? []
      expect(namesIn(credentials).toSorted()).toEqual(Object.keys(credentialFields).toSorted())
      expect(namesIn(settings).toSorted()).toEqual(Object.keys(settingFields).toSorted())
    },
  )

  test('names every gateway, and no other', () => {
    const named = gateways.split('\n').flatMap((line) => /^\| `([^`]+)`/.exec(line)?.[1] ?? [])
    expect(named.toSorted()).toEqual(GATEWAYS.map(({ name }) => name).toSorted())
    for (const name of COMMON) expect(gateways).toContain(`\`${name}\``)
  })
})
