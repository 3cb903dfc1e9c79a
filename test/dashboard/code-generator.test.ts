import { expect, test } from '@jest/globals'
import { stepOfCode } from '../../src/dashboard/code-generator.ts'

test.each(['١٢٣٤٥٦', '12345６', '½½½½½½', 'é12345', ''])('%s is a wrong code, and no error', (code) => {
  expect(stepOfCode('JBSWY3DPEHPK3PXP', code, new Date())).toBeNull()
})
