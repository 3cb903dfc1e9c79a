import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, test } from '@jest/globals'
import { saySkipped } from '../../gateways/skipped.ts'
import { stackForFile } from '../../support/stack-for-file.ts'
import { blocksOf, readGuide } from './guide.ts'
import { openGuideTerminal, type Terminal } from './terminal.ts'

const hasCurl = spawnSync('curl', ['--version']).status === 0
if (!hasCurl) saySkipped('the guides of delayed and incremental payments', 'there is no curl')
const testOrSkip = hasCurl ? test : test.skip

const stack = stackForFile()
let terminal: Terminal
beforeEach(async () => {
  terminal = await openGuideTerminal(stack)
})
afterEach(() => terminal.close())

testOrSkip.each(['delayed-capture.md', 'incremental-authorization.md'])(
  'the guide %s, followed line by line, is answered as it says',
  (name) => terminal.follow(blocksOf(readGuide(name))),
)
