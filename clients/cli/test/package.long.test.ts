import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { VERSION } from '../src/version.ts'

/** The command line as it is run: in a checkout, and as the package that others install. */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const CLI = join(ROOT, 'clients/cli')
const manifest = JSON.parse(readFileSync(join(CLI, 'package.json'), 'utf8'))

let folder: string

/** npm hands its settings on through the environment, also those of the `npm test` that runs this. */
function run(
  command: string,
  args: readonly string[],
  cwd: string,
): { out: string; err: string; status: number | null } {
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_offline: 'true' }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  return { out: stdout, err: stderr, status }
}

function succeed(command: string, args: readonly string[], cwd: string): string {
  const { out, err, status } = run(command, args, cwd)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${out}${err}`)
  return out
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-cli-package-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('npx holdfast runs it in a checkout, from its sources', () => {
  expect(succeed('npx', ['holdfast', '--version'], ROOT)).toBe(`${VERSION}\n`)
}, 120_000)

describe('the package', () => {
  let program: string

  beforeAll(() => {
    const built = join(folder, 'package')
    program = join(folder, 'program')
    for (const path of [built, program]) mkdirSync(path)
    for (const name of ['package.json', 'README.md', 'LICENSE']) cpSync(join(CLI, name), join(built, name))
    succeed(process.execPath, [join(ROOT, 'scripts/build-cli.mjs'), join(built, 'dist')], ROOT)
    succeed('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], built)
    writeFileSync(join(program, 'package.json'), '{"name": "program", "version": "1.0.0"}')
    succeed('npm', ['install', '--no-audit', '--no-fund', join(folder, `holdfast-cli-${VERSION}.tgz`)], program)
  }, 120_000)

  test('is one file of JavaScript that needs no other package', () => {
    expect(manifest).toMatchObject({ version: VERSION, license: 'MIT', name: '@holdfast/cli' })
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
      expect(manifest).not.toHaveProperty(kind)
    // What is built into it is what the checkout has installed.
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect({ ...dependencies, ...devDependencies }).toMatchObject(manifest.devDependencies)
    const files = readdirSync(join(program, 'node_modules/@holdfast/cli'), { recursive: true }).map(String)
    expect(files.toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'dist/holdfast.js', 'package.json'].toSorted())
    expect(readdirSync(join(program, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@holdfast'])
    expect(readFileSync(join(CLI, 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'))
  })

  test('runs where it is installed, by npx too, and ends as the shell is to be told', () => {
    const holdfast = join(program, 'node_modules/.bin/holdfast')
    expect(succeed(holdfast, ['--version'], program)).toBe(`${VERSION}\n`)
    expect(succeed('npx', ['holdfast', 'invoices', 'authorize', '--help'], program)).toContain('--source <text>')
    expect(run(holdfast, ['invoices', 'list'], program)).toMatchObject({
      status: 1,
      err: expect.stringContaining('Run "holdfast login"'),
    })
    expect(run(holdfast, ['invioces'], program).status).toBe(2)
  })

  test.each(['bash', 'zsh', 'fish'])('has a completion for %s, and tells it what may follow', (shell) => {
    const holdfast = join(program, 'node_modules/.bin/holdfast')
    expect(succeed(holdfast, ['completion', shell], program)).toContain('holdfast complete --')
    expect(succeed(holdfast, ['complete', '--', 'invoices', 'auth'], program)).toMatch(
      /^authorize\tAuthorize an invoice$/m,
    )
    expect(succeed(holdfast, ['complete', '--', 'trigger', 'transaction.ca'], program)).toMatch(
      /^transaction\.captured/m,
    )
  })
})
