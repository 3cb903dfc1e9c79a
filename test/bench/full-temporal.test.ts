import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { fullTemporalConfig, fullTemporalDynamicConfig, PORTS } from '../../bench/stage/full-temporal-config.ts'
import { findPorts } from '../../bench/stage/full-temporal-ports.ts'
import { obtainFullTemporal } from '../../bench/stage/full-temporal-programs.ts'

/** The largest value of PostgreSQL's smallint, in which Temporal keeps its ports. */
const SMALLINT_MAX = 32_767

describe('the programs of the full server', () => {
  test('are refused in one sentence where there is no Go, and nothing is left behind', async () => {
    const cacheFolder = await mkdtemp(join(tmpdir(), 'holdfast-full-temporal-'))
    try {
      const obtaining = obtainFullTemporal({
        cacheFolder,
        go: 'no-such-program',
        signal: new AbortController().signal,
        log: () => undefined,
      })
      await expect(obtaining).rejects.toThrow(/--full needs Go .* there is no "no-such-program" on the PATH/)
      expect(await readdir(cacheFolder)).toEqual([])
    } finally {
      await rm(cacheFolder, { recursive: true })
    }
  })
})

describe('the configuration of the full server', () => {
  test('gives each service ports of its own, none of them beyond what Temporal can keep', async () => {
    const ports = await findPorts(PORTS)
    expect(new Set(ports).size).toBe(PORTS)
    expect(Math.max(...ports)).toBeLessThanOrEqual(SMALLINT_MAX)
    const [first = 0, ...others] = ports
    const { services } = JSON.parse(configWith([first, ...others])) as {
      services: Record<string, { rpc: { grpcPort: number; membershipPort: number } }>
    }
    expect(services.frontend?.rpc.grpcPort).toBe(first)
    expect(Object.values(services).flatMap(({ rpc }) => [rpc.grpcPort, rpc.membershipPort])).toEqual(ports)
  })

  test('takes user and password from the address of the database, as they are meant', () => {
    const { persistence } = JSON.parse(configWith([10_000])) as {
      persistence: { datastores: Record<string, { sql: object }> }
    }
    const own = { user: 'holdfast', password: 'a/b', connectAddr: '127.0.0.1:5555' }
    expect(persistence.datastores.default?.sql).toMatchObject({ ...own, databaseName: 'temporal' })
    expect(persistence.datastores.visibility?.sql).toMatchObject({ ...own, databaseName: 'temporal_visibility' })
  })

  test('sets what the embedded server sets, numbers as numbers and texts without quotes', () => {
    expect(JSON.parse(fullTemporalDynamicConfig())).toMatchObject({
      'history.transferProcessorMaxPollRPS': [{ value: 1000 }],
      'history.timerProcessorMaxTimeShift': [{ value: '10ms' }],
      'system.enableActivityEagerExecution': [{ value: true }],
    })
  })
})

function configWith(ports: [number, ...number[]]): string {
  return fullTemporalConfig({
    databaseUrl: 'postgresql://holdfast:a%2Fb@127.0.0.1:5555/holdfast',
    ports,
    dynamicConfigFile: '/tmp/dynamic-config.yaml',
  })
}
