import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type InstalledPackage, installPackage } from '../../test/installed-package.ts'
import { ROOT } from '../../test/project-copy.ts'
import { VERSION } from '../src/version.ts'

/** The command line as it is run: in a checkout, and as the package that others install. */

const INSTALL_TIMEOUT_MS = 120_000

const CLI = join(ROOT, 'clients/cli')
const manifest = JSON.parse(readFileSync(join(CLI, 'package.json'), 'utf8'))

describe('in a checkout', () => {
  const run = (program: string, ...args: string[]) => {
    const env = { PATH: process.env.PATH, HOME: folder }
    return spawnSync(program, args, { cwd: ROOT, env, encoding: 'utf8', timeout: INSTALL_TIMEOUT_MS })
  }
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-cli-home-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('npx runs it from its sources, and fetches nothing', () => {
    expect(run('npx', '--no', '--', 'holdfast', '--version').stdout).toBe(`${VERSION}\n`)
    expect(run('npx', '--no', '--', 'holdfast', 'invoices', 'list').stderr).toContain(
      'Run "npx --no -- holdfast login"',
    )
  })

  test('it is a command in the shell that has sourced the credentials of the sandbox', () => {
    const sandbox = { base_url: 'http://127.0.0.1:1', project_id: 'test-proj_1', secret_key: 'no key' }
    writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(sandbox))
    const told = run(
      'bash',
      '-c',
      `DATA_DIR=${folder} && . examples/sandbox.sh && holdfast --help && holdfast invoices list`,
    )
    expect(told.stdout).toContain('\n  holdfast login\n')
    // Its credentials are those of the sandbox.
    expect(told.stderr).toContain('HOLDFAST_SECRET_KEY must be the secret key of a project')
  })
})

describe('the package', () => {
  let installed: InstalledPackage
  const holdfast = (args: readonly string[], expectedStatus?: number) =>
    installed.run(join(installed.program, 'node_modules/.bin/holdfast'), args, expectedStatus)

  beforeAll(() => {
    installed = installPackage('cli', 'build-cli.mjs')
  })
  afterAll(() => installed?.remove())

  test('is one file of JavaScript that needs no other package', () => {
    expect(manifest).toMatchObject({ version: VERSION, license: 'MIT', name: '@holdfast/cli' })
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      expect(manifest).not.toHaveProperty(kind)
    // What is built into it is what the checkout has installed.
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect({ ...dependencies, ...devDependencies }).toMatchObject(manifest.devDependencies)
    const packages = join(installed.program, 'node_modules')
    const files = readdirSync(join(packages, '@holdfast/cli'), { recursive: true }).map(String)
    expect(files.toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'dist/holdfast.js', 'package.json'].toSorted())
    expect(readdirSync(packages).filter((name) => !name.startsWith('.'))).toEqual(['@holdfast'])
    expect(readFileSync(join(CLI, 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
  })

  test('runs where it is installed, by npx too, and ends as the shell is to be told', () => {
    expect(holdfast(['--version'])).toBe(`${VERSION}\n`)
    expect(installed.run('npx', ['--no', '--', 'holdfast', 'invoices', 'authorize', '--help'])).toContain(
      '--source <text>',
    )
    expect(holdfast(['invoices', 'list'], 1)).toContain('Run "node node_modules/.bin/holdfast login"')
    holdfast(['invioces'], 2)
  })

  test.each(['bash', 'zsh', 'fish'])('has a completion for %s', (shell) => {
    expect(holdfast(['completion', shell])).toContain('holdfast complete --')
  })

  test('tells the shell what may follow', () => {
    expect(holdfast(['complete', '--', 'invoices', 'auth'])).toMatch(/^authorize\tAuthorize an invoice$/m)
    expect(holdfast(['complete', '--', 'trigger', 'transaction.ca'])).toMatch(/^transaction\.captured/m)
  })
})
