import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { makeRelease } from '../../scripts/release/make-release.ts'
import { PROJECT } from '../support/import-graph.ts'

let clone: string
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'holdfast-release-'))
  execFileSync('git', ['clone', '--quiet', '--no-tags', PROJECT, clone])
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@shop.example')
  write(
    'CHANGELOG.md',
    '# Changelog\n\n## Unreleased\n\n### Added\n\n- Refunds.\n\n## 0.0.9 – 2026-01-01\n\n- Older.\n',
  )
  git('commit', '--quiet', '--all', '--message=Changelog', '--no-verify')
})
afterEach(() => rmSync(clone, { recursive: true, force: true }))

const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim()
const read = (file: string) => readFileSync(join(clone, file), 'utf8')
const write = (file: string, text: string) => writeFileSync(join(clone, file), text)

/** Stands in for the commands of the project; one that keeps a release leaves a file. */
function release(version: string, dryRun = false) {
  const [said, commands]: [string[], string[]] = [[], []]
  const run = (...words: string[]) => {
    commands.push(words.join(' '))
    if (!words.includes('record-release')) return
    mkdirSync(join(clone, 'test/versions/release'), { recursive: true })
    write(`test/versions/release/${version}.json.br`, 'the code')
  }
  makeRelease({ root: clone, version, date: '2026-11-26', dryRun, say: (line) => said.push(line), run })
  return { said: said.join('\n'), commands }
}

describe('A release', () => {
  test('is a commit with a tag in which every version is the new one, the changelog is dated, and nothing is pushed', () => {
    const { version: present } = JSON.parse(read('package.json'))
    const { said, commands } = release('99.0.0')
    expect(said).toContain('There is no tag yet')
    expect(commands).toEqual([
      'node scripts/build-clients.mjs --release --docs',
      'npm run record-histories',
      'npm run record-release',
    ])
    expect(read('CHANGELOG.md')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 99.0.0 – 2026-11-26\n\n### Added\n\n- Refunds.\n\n## 0.0.9 – 2026-01-01\n\n- Older.\n',
    )
    expect(git('status', '--porcelain')).toBe('')
    expect(git('rev-parse', 'v99.0.0^{commit}')).toBe(git('rev-parse', 'HEAD'))
    expect(git('ls-remote', '--tags', 'origin', 'v99.0.0')).toBe('')
    // What is left are versions of other packages, and build ids of examples.
    const elsewhere = [':!*package-lock.json', ':!docs/operations.md', ':!src/temporal/build-id.ts', ':!test']
    const left = `git grep --files-with-matches --fixed-strings --word-regexp ${present} -- . ${elsewhere.map((one) => `'${one}'`).join(' ')}`
    expect(execFileSync('sh', ['-c', `${left} || true`], { cwd: clone, encoding: 'utf8' })).toBe('')
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({
      version: '99.0.0',
      packages: { '': { version: '99.0.0' } },
    })
  })

  test('is proved against the code of the tag before, and refused where that was not kept', () => {
    release('99.0.0')
    write('CHANGELOG.md', read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- Voids.\n'))
    git('commit', '--quiet', '--all', '--message=Voids', '--no-verify')
    expect(release('99.1.0').commands[0]).toBe('npm run test:all -- test/versions')
    rmSync(join(clone, 'test/versions/release/99.1.0.json.br'))
    write('CHANGELOG.md', read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- More.\n'))
    git('commit', '--quiet', '--all', '--message=More', '--no-verify')
    expect(() => release('99.2.0')).toThrow('does not hold the code of v99.1.0')
  })

  test('that is only tried says the same steps and changes nothing', () => {
    const head = git('rev-parse', 'HEAD')
    const { said, commands } = release('99.0.0', true)
    expect(said).toContain('Nothing of this is done')
    expect(said).toContain('Committing, and tagging v99.0.0')
    expect(commands).toEqual([])
    expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual([head, '', ''])
  })

  test('is refused for a version that is none or older, with changes in the tree, twice, and without a change to tell of', () => {
    expect(() => release('next')).toThrow('"next" is no version')
    expect(() => release('0.0.1')).toThrow('0.0.1 is older than')
    write('README.md', 'changed')
    expect(() => release('99.0.0')).toThrow('The working tree has changes')
    git('checkout', '--quiet', 'README.md')
    release('99.0.0')
    expect(() => release('99.0.0')).toThrow('The tag v99.0.0 is there already')
    expect(() => release('99.0.1')).toThrow('tells of no change')
  })
})
