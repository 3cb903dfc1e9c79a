import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { takeDataFolder } from '../../src/embedded/data-folder.ts'
import { waitFor } from '../support/wait-for.ts'

const MODULE = new URL('../../src/embedded/data-folder.ts', import.meta.url).href

let folder: string
let lines: string[]
const started: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-folder-'))
  lines = []
})
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const take = () => takeDataFolder(folder, { log: (line) => lines.push(line), noticeWaitMs: 300 })

/** Another process that takes the folder and then does what the script says with `taken`. */
async function holder(then: string): Promise<Contender> {
  const contending = contender(then)
  if ((await contending.said()) !== 'taken') throw new Error('The other process did not get the folder.')
  return contending
}

interface Contender {
  child: ChildProcess
  /** What it says first: `taken` or `refused`. */
  said(): Promise<string>
  output(): string
}

/** Another process that tries to take the folder. */
function contender(then: string): Contender {
  const script = `const { takeDataFolder } = await import('${MODULE}')
    try {
      const taken = await takeDataFolder(${JSON.stringify(folder)}, { log() {}, noticeWaitMs: 300 })
      console.log('taken'); setInterval(() => {}, 1000); ${then}
    } catch { console.log('refused') }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  return {
    child,
    output: () => output,
    said: () => waitFor(() => (output.includes('\n') ? output.split('\n')[0] : undefined)),
  }
}

describe('a data folder', () => {
  test('is not given to a second instance while the first one runs', async () => {
    const { child: first } = await holder('')
    await expect(take()).rejects.toThrow(
      `Holdfast is already running on ${folder} (process ${first.pid}); stop it, or set DATA_DIR`,
    )
  })

  test('is given to exactly one of several that find it abandoned at the same time', async () => {
    const { child: killed } = await holder('')
    killed.kill('SIGKILL')
    const said = await Promise.all(Array.from({ length: 6 }, () => contender('').said()))
    expect(said.toSorted()).toEqual(['refused', 'refused', 'refused', 'refused', 'refused', 'taken'])
  })

  test('is waited for while the first instance is stopping', async () => {
    const { child: first, output } =
      await holder(`process.once('SIGUSR2', () => taken.release().then(() => process.exit()))
      await taken.announceStop(); console.log('stopping')`)
    await waitFor(() => output().includes('stopping'))
    const taking = take()
    await waitFor(() => lines.length > 0)
    first.kill('SIGUSR2')
    const taken = await taking
    expect(lines).toEqual([expect.stringContaining('Waiting for the instance that is stopping')])
    await taken.release()
  })

  test('can be locked by nobody else: the lock is for its owner alone, also that of an earlier version', async () => {
    await writeFile(join(folder, 'instance.lock'), '', { mode: 0o644 })
    const taken = await take()
    expect((await stat(join(folder, 'instance.lock'))).mode & 0o777).toBe(0o600)
    await taken.release()
  })

  test('is taken over from an instance that was killed', async () => {
    const { child: first } = await holder('')
    const gone = new Promise((resolve) => first.once('exit', resolve))
    first.kill('SIGKILL')
    await gone
    await (await take()).release()
    expect(lines).toEqual([])
  })

  test('is waited for until its holder says that it runs on', async () => {
    const { child: first } = await holder('')
    await writeFile(join(folder, 'instance.json'), JSON.stringify({ pid: first.pid, state: 'stopping' }))
    const taking = take()
    await waitFor(() => lines.length > 0)
    await writeFile(join(folder, 'instance.json'), JSON.stringify({ pid: first.pid, state: 'running' }))
    await expect(taking).rejects.toThrow(`already running on ${folder} (process ${first.pid})`)
  })
})
