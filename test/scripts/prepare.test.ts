import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'

const SCRIPT = fileURLToPath(new URL('../../scripts/prepare.mjs', import.meta.url))

let project: string
beforeEach(() => {
  // A blank in the path, because a person's folder may have one.
  project = join(mkdtempSync(join(tmpdir(), 'holdfast-prepare-')), 'my project')
  mkdirSync(join(project, 'scripts'), { recursive: true })
  mkdirSync(join(project, 'bin'))
  cpSync(SCRIPT, join(project, 'scripts', 'prepare.mjs'))
  lock({ koa: { version: '3.3.0', integrity: 'sha512-a' } })
})
afterEach(() => rmSync(dirname(project), { recursive: true, force: true }))

/** Stands in for npm: the script's own part is when to call it and what to make of how it ends. */
function npmThat(does: string): void {
  writeFileSync(join(project, 'bin', 'npm'), `#!/bin/sh\necho "npm $*" >> npm-calls\n${does}\n`)
  chmodSync(join(project, 'bin', 'npm'), 0o755)
}

interface Package {
  version: string
  integrity: string
  optional?: boolean
  os?: string[]
  cpu?: string[]
}

function lock(packages: Record<string, Package>, file = 'package-lock.json'): void {
  writeFileSync(join(project, file), JSON.stringify({ packages: { '': { name: 'holdfast' }, ...packages } }))
}

/** What npm leaves behind when it is done: the list of what it installed. */
const INSTALLS = 'mkdir -p node_modules/.bin && cp package-lock.json node_modules/.package-lock.json'

function prepare({
  path = `${join(project, 'bin')}:/usr/bin:/bin`,
  nodeVersion = process.versions.node,
  environment = {} as Record<string, string>,
} = {}) {
  const versions = `Object.defineProperty(process, 'versions', { value: { node: '${nodeVersion}' } })`
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(versions)}`, join(project, 'scripts', 'prepare.mjs')],
    { encoding: 'utf8', env: { PATH: path, ...environment } },
  )
  return { status, stdout, stderr }
}

function calls(): number {
  return readFileSync(join(project, 'npm-calls'), 'utf8').match(/^npm ci/gm)?.length ?? 0
}

describe('preparing', () => {
  test('fails in one sentence when npm fails, and tries again the next time', () => {
    npmThat('echo "npm error network" >&2; exit 7')
    const { status, stderr } = prepare()
    expect(status).toBe(1)
    expect(stderr).toBe(
      'npm error network\nThe dependencies could not be installed: npm ci ended with code 7. npm has said why above; run "npm ci" to try by hand.\n',
    )
    npmThat(INSTALLS)
    expect(prepare().status).toBe(0)
  })

  test('fails in one sentence where the machine has an older Node and npm has no newer one for it', () => {
    npmThat(INSTALLS)
    const { status, stderr } = prepare({ nodeVersion: '20.20.2' })
    expect(status).toBe(1)
    expect(stderr).toMatch(/^Node 24 or later is needed: this is v\d+\.\d+\.\d+, and npm has none for \w+-\w+\. .*\n$/)
  })

  test('installs once, and does nothing and says nothing the next time', () => {
    npmThat(INSTALLS)
    expect(prepare()).toMatchObject({ status: 0, stdout: expect.stringContaining('Installed in') })
    expect(prepare()).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(calls()).toBe(1)
  })

  test.each([
    ['another version', { koa: { version: '3.3.1', integrity: 'sha512-b' } }],
    ['another hash', { koa: { version: '3.3.0', integrity: 'sha512-b' } }],
    [
      'one package more',
      { koa: { version: '3.3.0', integrity: 'sha512-a' }, pino: { version: '1.0.0', integrity: 'sha512-c' } },
    ],
  ])('installs again when the lock file has %s', (_change, packages) => {
    npmThat(INSTALLS)
    prepare()
    lock(packages)
    prepare()
    expect(calls()).toBe(2)
    prepare()
    expect(calls()).toBe(2)
  })

  test('does not miss an optional package for another platform', () => {
    npmThat('exit 7')
    const koa = { version: '3.3.0', integrity: 'sha512-a' }
    mkdirSync(join(project, 'node_modules'))
    lock({ koa }, 'node_modules/.package-lock.json')
    lock({ koa, bindings: { version: '1.0.0', integrity: 'sha512-d', optional: true, os: ['plan9'] } })
    expect(prepare().status).toBe(0)
  })

  test('installs again when node_modules was copied from a machine of another kind', () => {
    npmThat(INSTALLS)
    mkdirSync(join(project, 'node_modules'))
    const koa = { version: '3.3.0', integrity: 'sha512-a' }
    const bindings = { version: '1.0.0', integrity: 'sha512-d', optional: true, os: ['plan9'] }
    lock({ koa, bindings }, 'node_modules/.package-lock.json')
    lock({ koa })
    prepare()
    expect(calls()).toBe(1)
  })

  test('installs again when node_modules was removed', () => {
    npmThat(INSTALLS)
    prepare()
    rmSync(join(project, 'node_modules'), { recursive: true })
    prepare()
    expect(calls()).toBe(2)
  })

  describe('the hook that checks a commit', () => {
    const git = (...args: string[]) => spawnSync('git', args, { cwd: project, encoding: 'utf8' }).stdout.trim()
    beforeEach(() => npmThat(INSTALLS))

    test('is set with an installation in a checkout', () => {
      git('init', '--quiet')
      prepare()
      expect(git('config', 'core.hooksPath')).toBe('.githooks')
    })

    test('is not set in CI, and not in place of the hooks of the person', () => {
      git('init', '--quiet')
      prepare({ environment: { CI: 'true' } })
      expect(git('config', 'core.hooksPath')).toBe('')
      git('config', 'core.hooksPath', 'mine')
      rmSync(join(project, 'node_modules'), { recursive: true })
      prepare()
      expect(git('config', 'core.hooksPath')).toBe('mine')
    })

    test('is no matter where there is no checkout, as in an image', () => {
      expect(prepare()).toMatchObject({ status: 0, stderr: '' })
    })
  })
})
