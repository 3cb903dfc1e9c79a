/**
 * `npm run record-release`: keeps the code of this release for the test that the next one finishes what this one has begun.
 * `npm run release` runs it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runWithoutOptions } from '../src/processes/command-line.ts'
import { SERVICE_ROOMS } from '../src/temporal/build-id.ts'
import { keepRelease } from '../test/versions/release.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

process.exitCode = await runWithoutOptions({
  name: 'record-release',
  about: 'Keeps the code of this release for the tests of the next one; npm run release runs it.',
  async run() {
    const paths = SERVICE_ROOMS.flatMap((room) =>
      readdirSync(join(ROOT, room), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
    ).sort()
    const files = Object.fromEntries(
      ['package.json', ...paths].map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
    )
    const { version } = JSON.parse(files['package.json'] as string) as { version: string }
    const size = keepRelease({ version, files })
    console.log(`Kept ${paths.length} files of ${version} in ${Math.round(size / 1000)} kB`)
  },
})
