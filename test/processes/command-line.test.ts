import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { runWithoutOptions } from '../../src/processes/command-line.ts'

/** Runs `npm run example` with arguments. */
async function called(...args: string[]) {
  const [said, complained]: [string[], string[]] = [[], []]
  const terminal = {
    say: (line: string) => void said.push(line),
    complain: (line: string) => void complained.push(line),
  }
  let hasRun = false
  const run = async () => {
    hasRun = true
  }
  const exitCode = await runWithoutOptions({ name: 'example', about: 'Does something.', run }, args, terminal)
  return { exitCode, said: said.join('\n'), complained: complained.join('\n'), hasRun }
}

describe('a program without options', () => {
  test('runs where nothing is given', async () => {
    expect(await called()).toEqual({ exitCode: 0, said: '', complained: '', hasRun: true })
  })

  test('says what it does, and does nothing', async () => {
    const help = { exitCode: 0, said: expect.stringMatching(/npm run example.*Does something\./s), hasRun: false }
    expect(await called('--help')).toMatchObject(help)
  })

  test.each([['--dry-run'], ['--force', 'now'], ['now']])('refuses %s before it does anything', async (...args) => {
    expect(await called(...args)).toMatchObject({
      exitCode: 2,
      complained: expect.stringContaining('--help'),
      hasRun: false,
    })
  })
})

/** Those whose arguments go on to a tool. */
const OF_TOOLS = ['test', 'docs']

test('every program that npm runs reads its arguments before it does anything', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const programs = Object.entries(scripts).flatMap(([name, line]) => {
    const [, file] = /node (?:-\S+ )*((?:src|scripts|demo|stand-ins|bench|test)\/\S+\.ts)/.exec(line) ?? []
    return file === undefined || OF_TOOLS.includes(name) ? [] : [{ name, file }]
  })
  expect(programs.length).toBeGreaterThan(15)
  const READS = /(?:runProgram|runWithoutOptions|runService|runCommandLine|parseArgs|new Command)\(/
  expect(programs.filter(({ file }) => !READS.test(readFileSync(file, 'utf8')))).toEqual([])
})
