import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { commandOf } from '../src/command.ts'

/** A hint names the command line as it can be run where the hint stands. */

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-command-')))
const at = (path: string) => join(folder, path)
beforeAll(() => {
  for (const path of ['package', 'my shop', 'bin', 'others', '.npm/_npx/1']) mkdirSync(at(path), { recursive: true })
  for (const path of ['package/cli.js', 'my shop/cli.js', 'others/holdfast', '.npm/_npx/1/cli.js'])
    writeFileSync(at(path), '')
  for (const path of ['bin/holdfast', '.npm/_npx/1/holdfast']) symlinkSync(at('package/cli.js'), at(path))
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each<[string, { script: string; path?: string[]; npm?: string }, string]>([
  ['installed globally', { script: 'bin/holdfast', path: ['others/none', 'bin'] }, 'holdfast'],
  ['by npx, from the project', { script: 'bin/holdfast', path: ['bin'], npm: 'exec' }, 'npx --no -- holdfast'],
  [
    'by npx, in a checkout that npx has linked',
    { script: '.npm/_npx/1/holdfast', npm: 'exec' },
    'npx --no -- holdfast',
  ],
  ['by npx, fetched', { script: '.npm/_npx/1/cli.js', npm: 'exec' }, 'npx @holdfast/cli'],
  ['in a script of npm', { script: 'bin/holdfast', path: ['bin'], npm: 'run' }, 'npx --no -- holdfast'],
  ['by its path', { script: 'package/cli.js' }, 'node package/cli.js'],
  ['by a path with a space', { script: 'my shop/cli.js' }, 'node "my shop/cli.js"'],
  ['behind another program of its name', { script: 'bin/holdfast', path: ['others', 'bin'] }, 'node bin/holdfast'],
])('%s', (_, { script, path = [], npm }, expected) => {
  const env = { PATH: path.map(at).join(':'), npm_command: npm }
  expect(commandOf({ env, script: at(script), folder })).toBe(expected)
})
