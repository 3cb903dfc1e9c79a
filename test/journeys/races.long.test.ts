import { describe } from '@jest/globals'
import { stackForFile } from '../support/stack-for-file.ts'
import { NAMES, type Name, testPairs } from './request-races.ts'

const PAIRS = NAMES.flatMap((first) => NAMES.map((second): [Name, Name] => [first, second]))

describe.each(['together', 'apart'] as const)('any two requests at once, with API and worker %s', (mode) => {
  testPairs(stackForFile({ mode }), PAIRS)
})
