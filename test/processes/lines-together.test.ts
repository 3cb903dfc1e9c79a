import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { linesTogether } from '../../src/processes/lines-together.ts'

const MODULE = fileURLToPath(new URL('../../src/processes/lines-together.ts', import.meta.url))

test('lines that come shortly after each other are written as one text, in their order, and none twice', async () => {
  const texts: string[] = []
  const together = linesTogether({ write: (text) => void texts.push(text) })
  together.write('1\n')
  together.write('2\n')
  await sleep(50)
  together.write('3\n')
  await sleep(50)
  expect(texts).toEqual(['1\n2\n', '3\n'])
})

test('more than can wait is written at once, and all that came before it', async () => {
  const texts: string[] = []
  const together = linesTogether({ write: (text) => void texts.push(text) })
  const long = `${'x'.repeat(70_000)}\n`
  together.write('1\n')
  together.write(long)
  expect(texts).toEqual([`1\n${long}`])
  together.write('2\n')
  await sleep(50)
  expect(texts).toEqual([`1\n${long}`, '2\n'])
})

test.each([
  ['its end', ''],
  ['an exit at once', 'process.exit(3)'],
  ['an error that nobody catches', 'throw new Error()'],
])('a process has written its last lines after %s', (_, end) => {
  const program = `
    import { writeSync } from 'node:fs'
    import { linesTogether } from ${JSON.stringify(MODULE)}
    const together = linesTogether({ write: (text) => void writeSync(1, text) })
    together.write('1\\n')
    together.write('2\\n')
    ${end}`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  expect(stdout).toBe('1\n2\n')
})
