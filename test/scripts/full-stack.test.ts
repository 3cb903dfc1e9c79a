import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { findPorts } from '../../scripts/full-stack/ports.ts'
import { PORTS, temporalEnvironment } from '../../scripts/full-stack/temporal-environment.ts'
import { obtainGoPrograms, TEMPORAL_SERVER } from '../../scripts/go-programs.ts'

/** The largest value of PostgreSQL's smallint, in which Temporal keeps its ports. */
const SMALLINT_MAX = 32_767

describe('programs that are built with Go', () => {
  test('are refused in one sentence where there is no Go, and nothing is left behind', async () => {
    const cacheFolder = await mkdtemp(join(tmpdir(), 'holdfast-go-'))
    try {
      const obtaining = obtainGoPrograms(TEMPORAL_SERVER, {
        cacheFolder,
        go: 'no-such-program',
        signal: new AbortController().signal,
        log: () => undefined,
      })
      await expect(obtaining).rejects.toThrow(/Go is needed to build .* there is no "no-such-program" on the PATH/)
      expect(await readdir(cacheFolder)).toEqual([])
    } finally {
      await rm(cacheFolder, { recursive: true })
    }
  })
})

describe('the environment of the full server', () => {
  test('gives each service ports of its own, none of them beyond what Temporal can keep', async () => {
    const ports = await findPorts(PORTS)
    expect(new Set(ports).size).toBe(PORTS)
    expect(Math.max(...ports)).toBeLessThanOrEqual(SMALLINT_MAX)
    const [first = 0, ...others] = ports
    const environment = environmentWith([first, ...others])
    expect(environment.FRONTEND_GRPC_PORT).toBe(String(first))
    const given = Object.entries(environment).filter(([name]) => /_(GRPC|MEMBERSHIP)_PORT$/.test(name))
    expect(given.map(([, value]) => Number(value)).toSorted()).toEqual(ports.toSorted())
  })

  test('takes user and password from the address of the database, as they are meant', () => {
    expect(environmentWith([10_000])).toMatchObject({
      POSTGRES_SEEDS: '127.0.0.1',
      DB_PORT: '5555',
      POSTGRES_USER: 'holdfast',
      POSTGRES_PWD: 'a/b',
    })
  })

  test('is that of the compose file, on loopback', () => {
    expect(environmentWith([10_000])).toMatchObject({
      DB: 'postgres12',
      NUM_HISTORY_SHARDS: '128',
      TEMPORAL_ALLOW_NO_AUTH: 'true',
      BIND_ON_IP: '127.0.0.1',
    })
  })
})

function environmentWith(ports: [number, ...number[]]): Record<string, string> {
  return temporalEnvironment({ databaseUrl: 'postgresql://holdfast:a%2Fb@127.0.0.1:5555/holdfast', ports })
}
