import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { stackForFile } from '../../support/stack-for-file.ts'
import { ROOT } from './environment.ts'
import { type Block, blocksOf, readGuide } from './guide.ts'
import { openGuideTerminal } from './terminal.ts'

const stack = stackForFile()

test('the guide errors.md has a program that compiles in the strictest way, and decides as it says', async () => {
  const terminal = await openGuideTerminal(stack)
  const other = async (block: Block) => saveProgram((await terminal.run('pwd')).trim(), block)
  await terminal.follow(blocksOf(readGuide('errors.md')), { other })
  await terminal.close()
})

/** Saves a program where the terminal is, and compiles it there. */
function saveProgram(folder: string, { language, code }: Block): void {
  expect(language).toBe('ts')
  writeFileSync(join(folder, 'pay.mts'), code)
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const options = '--ignoreConfig --noEmit --target es2022 --types node --module nodenext --strict --noUnusedLocals'
  const { stdout } = spawnSync(process.execPath, [tsc, ...options.split(' '), 'pay.mts'], { cwd: folder })
  expect(stdout.toString()).toBe('')
}
