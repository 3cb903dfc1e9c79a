import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/processes/command-line.ts'

const MANIFEST = /(?<="version": ")[^"]+/
const CONSTANT = /(?<=VERSION = ')[^']+/

/** Where the version stands, by file. */
const VERSIONED: Readonly<Record<string, RegExp>> = {
  'package.json': MANIFEST,
  'package-lock.json': /(?<="name": "holdfast",\s+"version": ")[^"]+/g,
  Dockerfile: /(?<=--tag holdfast:)\S+/,
  'docker-compose.temporal.yml': /(?<=image: holdfast:)\S+/,
  'deploy/helm/holdfast/Chart.yaml': /(?<=^(?:appVersion|version): ).+/gm,
  'clients/android/pom.xml': /(?<=<artifactId>holdfast-android<\/artifactId>\s+<version>)[^<]+/,
  'clients/browser/package.json': MANIFEST,
  'clients/cli/package.json': MANIFEST,
  'clients/cli/src/version.ts': CONSTANT,
  'clients/node/package.json': MANIFEST,
  'clients/node/src/version.ts': CONSTANT,
  'clients/react-native/package.json': MANIFEST,
}

const CHANGELOG = 'CHANGELOG.md'
const UNRELEASED = /(?<=^## Unreleased\n)[\s\S]*?(?=^## |$(?![\s\S]))/m

export interface ReleaseOptions {
  /** The folder of the checkout. */
  root: string
  version: string
  /** Of the release, such as 2026-11-26. */
  date: string
  /** Says what would be done, and does nothing. */
  dryRun: boolean
  say(line: string): void
  /** Runs a command of the project to its end. @throws where it fails. */
  run(command: string, ...args: string[]): void
}

/**
 * Makes a release of what is committed, as a commit with a tag.
 *
 * @throws UsageError where it cannot be made; nothing is changed then.
 */
export function makeRelease({ root, version, date, dryRun, say, run }: ReleaseOptions): void {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

  const [present = ''] = MANIFEST.exec(read('package.json')) ?? []
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new UsageError(`"${version}" is no version such as 0.2.0.`)
  if (version.localeCompare(present, 'en', { numeric: true }) < 0)
    throw new UsageError(`${version} is older than ${present}, which this is.`)
  if (git('status', '--porcelain') !== '') throw new UsageError('The working tree has changes; commit them first.')
  const tags = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n').filter(Boolean)
  if (tags.includes(`v${version}`)) throw new UsageError(`The tag v${version} is there already.`)
  const [changes = ''] = UNRELEASED.exec(read(CHANGELOG)) ?? []
  if (changes.trim() === '') throw new UsageError(`${CHANGELOG} tells of no change under "Unreleased".`)
  const [before] = tags
  if (before !== undefined && !existsSync(join(root, `test/versions/release/${before.slice(1)}.json.br`)))
    throw new UsageError(
      `test/versions/release does not hold the code of ${before}, so no upgrade from it can be proved.`,
    )

  const texts = Object.entries(VERSIONED).map(([file, place]) => {
    const text = read(file)
    if (text.search(place) === -1) throw new UsageError(`${file} names no version where one is expected.`)
    return [file, text.replace(place, version)] as const
  })
  const changelog = read(CHANGELOG).replace(UNRELEASED, () => `\n## ${version} – ${date}\n${changes}`)

  const command = (...words: [string, ...string[]]): [string, () => void] => [words.join(' '), () => run(...words)]
  const steps: [what: string, act: () => void][] = [
    before === undefined
      ? ['There is no tag yet: no release is there to upgrade from', () => undefined]
      : command('npm', 'run', 'test:all', '--', 'test/versions'),
    [
      `Writing ${version} into ${Object.keys(VERSIONED).join(', ')}`,
      () => {
        for (const [file, text] of texts) writeFileSync(join(root, file), text)
      },
    ],
    [`Writing ${version} – ${date} into ${CHANGELOG}`, () => writeFileSync(join(root, CHANGELOG), changelog)],
    // The library for browsers names its version, so its hash in the guide is another one.
    command('node', 'scripts/build-clients.mjs', '--release', '--docs'),
    command('npm', 'run', 'record-histories'),
    command('npm', 'run', 'record-release'),
    [
      `Committing, and tagging v${version}`,
      () => {
        git('add', '--all')
        git('commit', '--quiet', `--message=Version ${version}`)
        git('tag', '--annotate', `v${version}`, `--message=Holdfast ${version}`)
      },
    ],
  ]
  if (dryRun) say('Nothing of this is done:')
  for (const [what, act] of steps) {
    say(what)
    if (!dryRun) act()
  }
  if (!dryRun) say(`v${version} is made. Push it with: git push --follow-tags`)
}
