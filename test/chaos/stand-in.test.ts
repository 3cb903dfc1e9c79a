import { expect, test } from '@jest/globals'
import { FAULT_NAMES, type FaultName } from '../../stand-ins/engine/faults.ts'
import { openForFile } from '../support/for-file.ts'
import { GATEWAYS } from './stand-in.ts'

const CASES = GATEWAYS.map((gateway) => ({ ...gateway, standIn: openForFile(() => gateway.start()) }))

test.each(CASES)('$title has every fault but those that it lacks', ({ standIn, lacks }) => {
  const has = (name: FaultName) => {
    try {
      standIn.faults.set([{ name }])
      return true
    } catch {
      return false
    }
  }
  expect(FAULT_NAMES.filter((name) => !has(name))).toEqual(lacks)
})
