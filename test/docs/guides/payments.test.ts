import { afterEach, beforeEach, test } from '@jest/globals'
import { stackForFile } from '../../support/stack-for-file.ts'
import { blocksOf, readGuide } from './guide.ts'
import { openGuideTerminal, type Terminal } from './terminal.ts'

const GUIDE_TIMEOUT_MS = 180_000

const stack = stackForFile()
let terminal: Terminal
beforeEach(async () => {
  terminal = await openGuideTerminal(stack)
})
afterEach(() => terminal.close())

test.each(['delayed-capture.md', 'incremental-authorization.md'])(
  'the guide %s, followed line by line, is answered as it says',
  (name) => terminal.follow(blocksOf(readGuide(name))),
  GUIDE_TIMEOUT_MS,
)
