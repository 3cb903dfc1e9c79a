import { describe, expect, test } from '@jest/globals'
import { benchProgram } from '../../bench/command-line.ts'
import type { Options } from '../../bench/part.ts'
import { runProgram } from '../../src/processes/command-line.ts'

const PARTS = [
  { name: 'authorize', about: 'From request to answer.' },
  { name: 'reads', about: 'Lists.' },
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
    const { exitCode, output, options } = await called('--parts', 'authorize,authorise')
    expect(exitCode).toBe(2)
    expect(output).toContain('There is no part authorise; there are authorize, reads.')
    expect(options).toBeUndefined()
  })

  test('measures everything, three times, on the embedded server by default', async () => {
    const { options } = await called()
    expect(options).toMatchObject({ parts: null, repeats: 3, quick: false, full: false, patienceSeconds: 30 })
  })

  test('takes parts in the order given, and flags without a value', async () => {
    const { options } = await called('--parts', 'reads,authorize', '--quick', '--full')
    expect(options).toMatchObject({ parts: ['reads', 'authorize'], quick: true, full: true })
  })
})
