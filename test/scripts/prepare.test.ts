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
  writeFileSync(join(project, 'package-lock.json'), '{"version": 1}')
})
afterEach(() => rmSync(dirname(project), { recursive: true, force: true }))

/** Stands in for npm: the script's own part is when to call it and what to make of how it ends. */
function npmThat(does: string): void {
  writeFileSync(join(project, 'bin', 'npm'), `#!/bin/sh\necho "npm $*" >> npm-calls\n${does}\n`)
  chmodSync(join(project, 'bin', 'npm'), 0o755)
}

const INSTALLS = 'mkdir -p node_modules/.bin && touch node_modules/.bin/node'

function prepare(path = `${join(project, 'bin')}:/usr/bin:/bin`) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(project, 'scripts', 'prepare.mjs')], {
    encoding: 'utf8',
    env: { PATH: path },
  })
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

  test('fails in one sentence when npm is not there', () => {
    const { status, stderr } = prepare(join(project, 'bin'))
    expect(status).toBe(1)
    expect(stderr).toMatch(/^The dependencies could not be installed: npm cannot be run \(.*ENOENT\)/)
  })

  test('fails in one sentence when npm was told to skip install scripts', () => {
    npmThat('mkdir -p node_modules')
    const { status, stderr } = prepare()
    expect(status).toBe(1)
    expect(stderr).toMatch(/^Node 24 is missing from node_modules\/\.bin after npm ci: .*\n$/)
  })

  test('installs once, and does nothing and says nothing the next time', () => {
    npmThat(INSTALLS)
    expect(prepare()).toMatchObject({ status: 0, stdout: expect.stringContaining('Installed in') })
    expect(prepare()).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(calls()).toBe(1)
  })

  test('installs again when the lock file has changed', () => {
    npmThat(INSTALLS)
    prepare()
    writeFileSync(join(project, 'package-lock.json'), '{"version": 2}')
    prepare()
    expect(calls()).toBe(2)
  })

  test('installs again when node_modules was removed', () => {
    npmThat(INSTALLS)
    prepare()
    rmSync(join(project, 'node_modules'), { recursive: true })
    prepare()
    expect(calls()).toBe(2)
  })
})
