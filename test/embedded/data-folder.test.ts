import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
    const lock = { pid: 999_999_999, startMark: 'earlier', state: 'running' }
    await writeFile(join(folder, 'instance.lock'), JSON.stringify(lock))
    const said = await Promise.all(Array.from({ length: 6 }, () => contender('').said()))
    expect(said.toSorted()).toEqual(['refused', 'refused', 'refused', 'refused', 'refused', 'taken'])
  })

  test('is left alone while another instance that lives is removing an abandoned lock, and taken afterwards', async () => {
    const { child: other } = await holder('')
    const takeover = join(folder, 'instance.lock.takeover')
    await rename(join(folder, 'instance.lock'), takeover)
    const abandoned = JSON.stringify({ pid: 999_999_999, startMark: 'earlier', state: 'running' })
    await writeFile(join(folder, 'instance.lock'), abandoned)
    const taking = take()
    await sleep(300)
    expect(await readFile(join(folder, 'instance.lock'), 'utf8')).toBe(abandoned)
    other.kill('SIGKILL')
    await (await taking).release()
    expect(await readdir(folder)).toEqual(['logs'])
  })

  test('says which instance does not go on with removing an abandoned lock, and leaves that lock', async () => {
    const { child: other } = await holder('')
    await rename(join(folder, 'instance.lock'), join(folder, 'instance.lock.takeover'))
    const abandoned = JSON.stringify({ pid: 999_999_999, startMark: 'earlier', state: 'running' })
    await writeFile(join(folder, 'instance.lock'), abandoned)
    await expect(take()).rejects.toThrow(
      `Another instance is starting on ${folder} and does not go on (process ${other.pid}); end it, and start again.`,
    )
    expect(await readFile(join(folder, 'instance.lock'), 'utf8')).toBe(abandoned)
  }, 30_000)

  test('is taken where instances were killed while they removed an abandoned lock', async () => {
    const lock = JSON.stringify({ pid: 999_999_999, startMark: 'earlier', state: 'running' })
    for (const name of ['instance.lock', 'instance.lock.takeover', 'instance.lock.takeover.takeover'])
      await writeFile(join(folder, name), lock)
    const said = await Promise.all(Array.from({ length: 3 }, () => contender('').said()))
    expect(said.toSorted()).toEqual(['refused', 'refused', 'taken'])
    expect((await readdir(folder)).toSorted()).toEqual(['instance.lock', 'logs'])
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

  test('is taken over from an instance that was killed', async () => {
    const { child: first } = await holder('')
    const gone = new Promise((resolve) => first.once('exit', resolve))
    first.kill('SIGKILL')
    await gone
    await (await take()).release()
    expect(await readdir(folder)).toEqual(['logs'])
  })

  test('is taken over when its lock names a process that is another one now', async () => {
    const lock = { pid: process.pid, startMark: 'earlier', state: 'running' }
    await writeFile(join(folder, 'instance.lock'), JSON.stringify(lock))
    await (await take()).release()
    expect(lines).toEqual([])
  })

  test('is taken over when its lock is damaged', async () => {
    await writeFile(join(folder, 'instance.lock'), '{"pid":')
    await (await take()).release()
  })

  test('that cannot be made is one sentence', async () => {
    await writeFile(join(folder, 'file'), '')
    await expect(takeDataFolder(join(folder, 'file', 'data'), { log: () => undefined })).rejects.toThrow(
      /^The data folder .* cannot be made: .*\.$/,
    )
  })
})
