import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { waitUntil } from '../src/embedded/wait-until.ts'
import { processStartMark } from './support/process-start-mark.ts'

const MODULE = new URL('../src/shutdown.ts', import.meta.url).href
const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** A process with a shutdown whose script adds steps; it prints a line when it is up. */
async function processWith(script: string): Promise<ChildProcess & { output: string[] }> {
  const source = `const { createShutdown } = await import('${MODULE}')
    const say = (line) => process.stdout.write(line + '\\n')
    const shutdown = createShutdown(say)
    setInterval(() => {}, 1000)
    ${script}
    say('up')
    process.exit(await shutdown.finished())`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  const output: string[] = []
  child.stdout?.on('data', (chunk) => output.push(...String(chunk).trim().split('\n')))
  while (!output.includes('up')) await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
  return Object.assign(child, { output })
}

const steps = `for (const name of ['PostgreSQL', 'Temporal', 'API'])
  shutdown.add({ name, stop: async () => { await new Promise((r) => setTimeout(r, 20)); say('stopped ' + name) } })`

describe('a stop', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'asked for by %s stops the parts one by one, the last one added first, and exits with 0',
    async (signal) => {
      const child = await processWith(steps)
      child.kill(signal)
      expect(await once(child, 'close')).toEqual([0, null])
      expect(child.output.slice(2)).toEqual(['stopped API', 'stopped Temporal', 'stopped PostgreSQL'])
    },
  )

  test('is not forced by the second signal that npm forwards for one Ctrl-C', async () => {
    const child = await processWith(steps)
    child.kill('SIGINT')
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([0, null])
    expect(child.output).not.toContain('Stopping at once')
  })

  test('goes on when one part cannot be stopped, says so and exits with 1', async () => {
    const child = await processWith(`${steps}
      shutdown.add({ name: 'worker', stop: () => Promise.reject(new Error('it hangs')) })`)
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([1, null])
    expect(child.output).toContain('worker did not stop cleanly: it hangs')
    expect(child.output.at(-1)).toBe('stopped PostgreSQL')
  })

  test('keeps the first reason and exit code', async () => {
    const child = await processWith(`${steps}
      shutdown.request('Temporal ended', 1)
      shutdown.request('another reason', 0)`)
    expect(await once(child, 'close')).toEqual([1, null])
    expect(child.output.filter((line) => /Temporal ended|another/.test(line))).toEqual(['Temporal ended'])
  })

  test('that hangs is forced by a second Ctrl-C, which kills what would stay behind', async () => {
    const child = await processWith(`
      shutdown.add({ name: 'PostgreSQL', stop: () => new Promise(() => {}), kill: async () => say('killed PostgreSQL') })`)
    child.kill('SIGINT')
    // From when it has heard the first one: a second one counts as the same wish for a second.
    while (child.output.length < 2) await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
    await sleep(1_200)
    child.kill('SIGINT')
    expect(await once(child, 'close')).toEqual([1, null])
    expect(child.output.slice(-2)).toEqual(['Stopping at once', 'killed PostgreSQL'])
  })

  test('follows when npm is killed and so forwards no signal', async () => {
    const orphanage = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { spawn } from 'node:child_process'
         const source = \`const { createShutdown } = await import('${MODULE}')
           const shutdown = createShutdown(() => {})
           shutdown.watchParent()
           setInterval(() => {}, 1000)
           process.stdout.write(String(process.pid))
           process.exit(await shutdown.finished())\`
         spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'inherit' })`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    started.push(orphanage)
    const [chunk] = await once(orphanage.stdout as NonNullable<typeof orphanage.stdout>, 'data')
    const pid = Number(String(chunk))
    orphanage.kill('SIGKILL')
    // Its end of the pipe closes when it is gone.
    await once(orphanage, 'close')
    expect(await waitUntil(() => processStartMark(pid) === undefined, 60_000)).toBe(true)
  })
})
