import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { machineCache } from '../../src/embedded/machine-cache.ts'
import { obtainTemporalCli } from '../../src/embedded/temporal-cli.ts'
import type { DownloadWay } from '../../src/embedded/temporal-cli-download.ts'

const platform = 'linux-x64'
const log = () => undefined

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-cli-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function program(version: string): Promise<string> {
  const path = join(folder, `temporal-${version}`)
  await writeFile(path, `#!/bin/sh\necho 'temporal version ${version} (Server 1.32.0, UI 2.54.1)'\n`)
  await chmod(path, 0o755)
  return path
}

const failing = (name: string, reason: string): DownloadWay => ({
  name,
  download: () => Promise.reject(new Error(reason)),
})

const forged: DownloadWay = {
  name: 'a forged download',
  async download(into) {
    await writeFile(join(into, 'temporal'), '#!/bin/sh\necho gotcha\n')
    return join(into, 'temporal')
  },
}

test.each([
  ['the folder that is named', { XDG_CACHE_HOME: '/named' }, 'linux', '/named/holdfast'],
  [
    'the usual one where a relative path is named',
    { XDG_CACHE_HOME: 'named' },
    'linux',
    `${homedir()}/.cache/holdfast`,
  ],
  ['that of Linux', {}, 'linux', `${homedir()}/.cache/holdfast`],
  ['that of a Mac', {}, 'darwin', `${homedir()}/Library/Caches/holdfast`],
] as const)('the programs of a machine are in %s', (_, environment, platform, expected) => {
  expect(machineCache(environment, platform)).toBe(expected)
})

describe('a downloaded Temporal CLI', () => {
  test('is not used, and not kept, when its hash is not the known one', async () => {
    const cacheFolder = join(folder, 'cache')
    const obtained = obtainTemporalCli({ cacheFolder, searchPath: false, ways: [forged], platform, log })
    await expect(obtained).rejects.toThrow(/a forged download: its SHA-256 is [0-9a-f]{64}, expected 7122176/)
    expect(await readdir(cacheFolder)).toEqual([])
  })

  test('is not used from the cache when it was changed there', async () => {
    await writeFile(join(folder, 'temporal-1.9.1-linux-x64'), '#!/bin/sh\necho gotcha\n')
    const obtained = obtainTemporalCli({ cacheFolder: folder, searchPath: false, ways: [], platform, log })
    await expect(obtained).rejects.toThrow(/the copy kept in .*: its SHA-256 is/)
  })

  test('is refused for a platform whose hash is not known', async () => {
    const obtained = obtainTemporalCli({
      cacheFolder: folder,
      searchPath: false,
      ways: [forged],
      platform: 'aix-ppc64',
      log,
    })
    await expect(obtained).rejects.toThrow('a forged download: no release for aix-ppc64 is known')
  })

  test('has one error that names every way tried and why it failed', async () => {
    const ways = [failing('the first way', 'no route'), failing('the second way', 'no pip')]
    const obtained = obtainTemporalCli({ cacheFolder: folder, searchPath: false, ways, platform, log })
    await expect(obtained).rejects.toThrow(
      /TEMPORAL_CLI_PATH.*TEMPORAL_ADDRESS.*\n {2}- the copy kept in .*: not there\n {2}- the first way: no route\n {2}- the second way: no pip$/,
    )
  })

  test('is not waited for when the start is given up', async () => {
    const stop = new AbortController()
    const way: DownloadWay = {
      name: 'a slow way',
      download: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
          stop.abort(new Error('given up'))
        }),
    }
    const ways = [way, failing('the next way', 'must not be tried')]
    const obtained = obtainTemporalCli({
      cacheFolder: folder,
      searchPath: false,
      ways,
      platform,
      log,
      signal: stop.signal,
    })
    await expect(obtained).rejects.toThrow(/^given up$/)
  })
})

describe('a named Temporal CLI', () => {
  test('is not replaced by another one when it is too old', async () => {
    const explicitPath = await program('1.9.0')
    const obtained = obtainTemporalCli({ cacheFolder: folder, explicitPath, ways: [], platform, log })
    await expect(obtained).rejects.toThrow(
      `${explicitPath} is version 1.9.0 of the Temporal CLI, 1.9.1 or later is needed`,
    )
  })

  test.each(['1.9.1', '1.10.0', '2.0.0'])('is used at version %s', async (version) => {
    const explicitPath = await program(version)
    expect(await obtainTemporalCli({ cacheFolder: folder, explicitPath, ways: [], platform, log })).toBe(explicitPath)
  })
})
