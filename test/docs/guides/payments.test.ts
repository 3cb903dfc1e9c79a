import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { stackForFile } from '../../support/stack-for-file.ts'
import { credentialsOf, PROGRAMS, ROOT } from './environment.ts'
import { type Block, blocksOf, readGuide } from './guide.ts'
import { openTerminal, type Terminal } from './terminal.ts'

const GUIDE_TIMEOUT_MS = 180_000

const stack = stackForFile()
let terminal: Terminal
beforeEach(async () => {
  terminal = openTerminal(ROOT, PROGRAMS)
  // The script finds the credentials in a file of `npm start`, which the stack has none of.
  await terminal.run(`HOLDFAST=; . examples/sandbox.sh 2>&-`)
  for (const [name, value] of Object.entries(credentialsOf(stack))) await terminal.run(`export ${name}='${value}'`)
})
afterEach(() => terminal.close())

describe('a guide, followed line by line', () => {
  test.each(['delayed-capture.md', 'incremental-authorization.md'])(
    '%s is answered as it says',
    (name) => terminal.follow(blocksOf(readGuide(name))),
    GUIDE_TIMEOUT_MS,
  )

  test(
    'errors.md has a program that compiles in the strictest way, and decides as it says',
    () => terminal.follow(blocksOf(readGuide('errors.md')), { other: saveProgram }),
    GUIDE_TIMEOUT_MS,
  )
})

/** Saves a program where the terminal is, and compiles it there. */
async function saveProgram({ language, code }: Block): Promise<void> {
  expect(language).toBe('ts')
  const folder = (await terminal.run('pwd')).trim()
  writeFileSync(join(folder, 'pay.mts'), code)
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const options = '--ignoreConfig --noEmit --target es2022 --types node --module nodenext --strict --noUnusedLocals'
  const { stdout } = spawnSync(process.execPath, [tsc, ...options.split(' '), 'pay.mts'], { cwd: folder })
  expect(stdout.toString()).toBe('')
}
