import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { runCommandLine } from '../../scripts/new-gateway/command-line.ts'
import { folderForFile } from '../support/for-file.ts'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))

/** What a gateway and its contract are compiled with, and run on. */
const NEEDED = [
  'domain',
  'src',
  'stand-ins',
  'test/gateways',
  'test/support',
  'tsconfig.json',
  'biome.json',
  'package.json',
] as const

/** As in the project's own configuration, without its servers. */
const JEST = {
  testMatch: ['**/*.test.ts'],
  injectGlobals: false,
  testRunner: '<rootDir>/test/support/native/run-file.mjs',
  transform: {},
}

interface JestReport {
  numFailedTests: number
  numRuntimeErrorTestSuites: number
  testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[]
}

const project = folderForFile()
beforeAll(() => {
  for (const needed of NEEDED) cpSync(join(PROJECT, needed), join(project, needed), { recursive: true })
  symlinkSync(join(PROJECT, 'node_modules'), join(project, 'node_modules'))
})

async function call(...args: string[]) {
  const said: string[] = []
  const complained: string[] = []
  const terminal = { say: (line: string) => said.push(line), complain: (line: string) => complained.push(line) }
  const code = await runCommandLine(args, project, terminal)
  return { code, said: said.join('\n'), complained: complained.join('\n') }
}

function run(program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(project, 'node_modules', program), ...args], {
    cwd: project,
    encoding: 'utf8',
  })
  return { status, output: `${stdout}${stderr}` }
}

describe('a name that is none', () => {
  test.each([
    [[], /^Missing required argument 'name'/],
    [['Acme'], /^"Acme" is no name/],
    [['../acme'], /is no name/],
    [['acme--pay'], /is no name/],
    [['a'.repeat(41)], /is no name/],
    [['guard'], /is a folder of the adapters' own/],
    [['acme', 'pay'], /^Too many arguments/],
    [['acme', '--titel', 'Acme'], /titel/],
    [['acme', '--title', "Acme's"], /^--title takes/],
  ])('is refused with code 2, and nothing is written: %j', async (args, complaint) => {
    const before = readdirSync(join(project, 'src/gateways'))

    expect(await call(...args)).toMatchObject({ code: 2, said: '', complained: expect.stringMatching(complaint) })
    expect(readdirSync(join(project, 'src/gateways'))).toEqual(before)
  })

  test.each(['stripe', 'adyen', 'simulator'])('is that of a gateway that is there: %s', async (name) => {
    const before = readFileSync(join(project, 'src/gateways', name, 'adapter.ts'), 'utf8')

    expect(await call(name)).toMatchObject({ code: 2, complained: expect.stringContaining('nothing was written') })
    expect(readFileSync(join(project, 'src/gateways', name, 'adapter.ts'), 'utf8')).toBe(before)
  })
})

describe('a new gateway', () => {
  const FOLDERS = ['src/gateways/acme-pay', 'stand-ins/acme-pay', 'test/gateways/acme-pay']
  const FILES = [
    'README.md',
    'account.ts',
    'adapter.ts',
    'http-client.ts',
    'notifications.ts',
    'outcomes.ts',
    'requests.ts',
  ]
  let made: Awaited<ReturnType<typeof call>>
  beforeAll(async () => {
    made = await call('acme-pay', '--title', 'Acme & Sons')
  })

  test('is a folder for the adapter, one for its stand-in and one for its tests, and the lines that the service wants are told', () => {
    expect(made).toMatchObject({ code: 0, complained: '' })
    expect(readdirSync(join(project, 'src/gateways/acme-pay')).sort()).toEqual(FILES)
    expect(readdirSync(join(project, 'stand-ins/acme-pay'))).toEqual(['acme-pay.ts'])
    expect(readdirSync(join(project, 'test/gateways/acme-pay'))).toEqual(['contract.test.ts'])
    expect(made.said).toContain("import { ACME_PAY } from './acme-pay/account.ts'")
    expect(made.said).toContain("import { createAcmePay } from '../gateways/acme-pay/adapter.ts'")
    expect(existsSync(join(project, 'src/gateways/installed.ts'))).toBe(true)
  })

  test('is not made twice', async () => {
    expect(await call('acme-pay')).toMatchObject({ code: 2, complained: expect.stringContaining('is there already') })
  })

  test('passes the compiler and the style', () => {
    const tsconfig = { extends: './tsconfig.json', include: FOLDERS }
    writeFileSync(
      join(project, 'tsconfig.new.json'),
      JSON.stringify({ ...tsconfig, compilerOptions: { incremental: false, tsBuildInfoFile: null } }),
    )

    expect(run('typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.new.json')).toEqual({ status: 0, output: '' })
    const style = run('@biomejs/biome/bin/biome', 'check', '--vcs-enabled=false', ...FOLDERS)
    expect(style.status === 0 ? '' : style.output).toBe('')
  })

  test('fails its contract until it is written: never by a success, and it says what is missing', () => {
    writeFileSync(
      join(project, 'jest.config.json'),
      JSON.stringify({ ...JEST, roots: ['<rootDir>/test/gateways/acme-pay'] }),
    )

    const { status } = run('jest/bin/jest.js', '--config=jest.config.json', '--json', '--outputFile=report.json')

    expect(status).toBe(1)
    const report = JSON.parse(readFileSync(join(project, 'report.json'), 'utf8')) as JestReport
    expect(report.numRuntimeErrorTestSuites).toBe(0)
    const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
    const failures = tests.filter((one) => one.status === 'failed')
    const missing = failures.flatMap(({ failureMessages }) => failureMessages).join('\n')
    expect(tests.filter(({ status: each }) => each === 'passed').length).toBeGreaterThan(0)
    for (const what of ['authorization', 'notifications'])
      expect(missing).toMatch(new RegExp(`acme-pay: ${what} (is|are) not written yet`))
    expect(missing).not.toMatch(/TypeError|ReferenceError|Exceeded timeout/)
    const demanded = failures.map(({ fullName }) => fullName)
    for (const part of ['authorizing', 'a later step', 'looking up', 'when no certain answer comes', 'a notification'])
      expect(
        demanded.some((name) => name.includes(`keeps the contract of a gateway ${part}`)) ? part : `not ${part}`,
      ).toBe(part)
  })
})
