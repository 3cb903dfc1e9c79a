import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { endStaleProcess, runsWithArgument } from '../../src/embedded/stale-process.ts'
import { processStartMark } from '../support/process-start-mark.ts'

const WAIT_FOR_EVER = 'setInterval(() => {}, 1000)'

let folder: string
let pidFile: string
let lines: string[]
const started: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-stale-'))
  pidFile = join(folder, 'server.pid')
  lines = []
})
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

async function run(script: string, argument: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('up')`, argument], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  started.push(child)
  await new Promise((resolve) => child.stdout?.once('data', resolve))
  return child
}

function end(argument: string) {
  return endStaleProcess({ pidFile, argument, signal: 'SIGTERM', name: 'server', log: (line) => lines.push(line) })
}

describe('a process id left behind by an earlier run', () => {
  test('does not harm a process that has the id but not our data', async () => {
    const stranger = await run(WAIT_FOR_EVER, `${folder}/other`)
    await writeFile(pidFile, `${stranger.pid}\n`)
    await end(`${folder}/data`)
    expect(runsWithArgument(stranger.pid as number, `${folder}/other`)).toBe(true)
    expect(existsSync(pidFile)).toBe(false)
    expect(lines).toEqual([])
  })

  test('does not harm a process whose data folder only begins like ours', async () => {
    const neighbour = await run(WAIT_FOR_EVER, `${folder}/data-2`)
    await writeFile(pidFile, `${neighbour.pid}\n`)
    await end(`${folder}/data`)
    expect(neighbour.exitCode ?? neighbour.signalCode).toBeNull()
  })

  test.each(['', 'abc', '0', '1', '-1', '999999999'])('does nothing when the file says "%s"', async (text) => {
    await writeFile(pidFile, text)
    await end(`${folder}/data`)
    expect(lines).toEqual([])
  })

  test('ends our process and says so', async () => {
    const ours = await run(WAIT_FOR_EVER, `${folder}/data`)
    await writeFile(pidFile, `${ours.pid}\n`)
    await end(`${folder}/data`)
    expect(runsWithArgument(ours.pid as number, `${folder}/data`)).toBe(false)
    expect(lines).toEqual([`Ending the server that an earlier run left behind (process ${ours.pid})`])
  })
})

describe('the start mark of a process', () => {
  test('differs between two processes', async () => {
    const other = await run(WAIT_FOR_EVER, 'x')
    await new Promise((resolve) => setTimeout(resolve, 20))
    const third = await run(WAIT_FOR_EVER, 'x')
    expect(processStartMark(other.pid as number)).not.toBe(processStartMark(third.pid as number))
  })
})
