import { describe, expect, test } from '@jest/globals'
import { benchProgram, chosenParts } from '../../bench/command-line.ts'
import type { Options } from '../../bench/part.ts'
import { runProgram } from '../../src/processes/command-line.ts'

const PARTS = [
  { name: 'payments', about: 'All ways to pay.', pieces: ['pair', 'sale'] },
  { name: 'lists', about: 'Lists.', isLong: true as const },
  { name: 'apart', about: 'Processes.' },
]

async function called(...args: string[]) {
  const lines: string[] = []
  const terminal = { say: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  let options: Options | undefined
  const run = async (given: Options) => {
    options = given
  }
  const exitCode = await runProgram(benchProgram(PARTS, terminal, run), args, terminal)
  return { exitCode, output: lines.join('\n'), options }
}

describe('The command line of the bench', () => {
  test('measures nothing where a part is named that there is not', async () => {
    const { exitCode, output, options } = await called('--only', 'sale,sail')
    expect(exitCode).toBe(2)
    expect(output).toContain('There is no part sail; there are payments, pair, sale, lists, apart.')
    expect(options).toBeUndefined()
  })

  test.each([
    [[], ['payments', 'apart']],
    [
      ['--only', 'lists,apart'],
      ['lists', 'apart'],
    ],
    [['--only', 'sale'], ['payments']],
  ])('%j measures %j', async (args, names) => {
    const { options } = await called(...args)
    expect(options).toMatchObject({ repeats: 5, quick: false })
    expect(chosenParts(PARTS, { only: options?.only ?? null }).map(({ name }) => name)).toEqual(names)
  })
})
