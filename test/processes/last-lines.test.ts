import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const MODULE = fileURLToPath(new URL('../../src/processes/process-logger.ts', import.meta.url))

test.each([
  ['its end', ''],
  ['an exit at once', 'process.exit(3)'],
  ['an error that nobody catches', 'throw new Error()'],
])('a process has written its last lines, in their order and none twice, after %s', (_, end) => {
  const program = `
    const { createProcessLogger } = await import(${JSON.stringify(MODULE)})
    const logger = createProcessLogger('test', 'info')
    for (let line = 0; line < 100; line += 1) logger.info({ line }, 'x'.repeat(100))
    ${end}`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).line)).toEqual(Array.from({ length: 100 }, (_, line) => line))
})

test('a line is written within moments also where no other follows it', () => {
  const program = `
    const { createProcessLogger } = await import(${JSON.stringify(MODULE)})
    createProcessLogger('test', 'info').info('alone')
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000)`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  expect(JSON.parse(stdout).msg).toBe('alone')
})
