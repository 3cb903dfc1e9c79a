import { describe, expect, test } from '@jest/globals'
import { runProgram } from '../../src/processes/command-line.ts'
import { chaosProgram } from './command-line.ts'
import type { ChaosOptions } from './options.ts'

async function called(...args: string[]) {
  const lines: string[] = []
  const terminal = { say: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  let options: ChaosOptions | undefined
  const run = async (given: ChaosOptions) => {
    options = given
  }
  const exitCode = await runProgram(chaosProgram(terminal, run), args, terminal)
  return { exitCode, output: lines.join('\n'), options }
}

describe('The command line of npm run chaos', () => {
  test.each([
    ['--kills', ''],
    ['--kills', 'x'],
    ['--kills', '-1'],
    ['--kills', '1.5'],
    ['--rate', '0'],
    ['--trouble', '101'],
  ])('refuses %s %j with what it takes', async (name, value) => {
    const { exitCode, output, options } = await called(`${name}=${value}`)
    expect({ exitCode, options }).toEqual({ exitCode: 2, options: undefined })
    expect(output).toContain(`'${name} <n>'`)
    expect(output).toMatch(/It takes a (whole )?number, [\d.]+ to \d+\./)
  })

  test.each([
    [['--cell', 'stop/gateway'], 'There is no cell "stop/gateway". There are: stop/api, '],
    [['--cell', 'kill/worker', 'slow'], 'There is no cell "slow"'],
  ])('refuses %j and names the cells there are', async (args, problem) => {
    const { exitCode, output, options } = await called(...args)
    expect({ exitCode, options }).toEqual({ exitCode: 2, options: undefined })
    expect(output).toContain(problem)
  })

  test('takes the numbers of defects', async () => {
    expect((await called('--vacuity', '--defect', '1', '3')).options?.defect).toEqual([1, 3])
    expect((await called('--vacuity', '--defect', '0')).exitCode).toBe(2)
  })

  test('does not write what cells did together', async () => {
    expect(await called('--matrix', '--together')).toMatchObject({ exitCode: 2, options: undefined })
  })

  test('kills a hundred processes where nothing else is said', async () => {
    const options = { kills: 100, seed: 1, rate: 4, interval: 4, trouble: 10, patience: 480, keep: false }
    expect((await called()).options).toEqual({ ...options, matrix: false, vacuity: false, lasts: 30, together: false })
  })
})
