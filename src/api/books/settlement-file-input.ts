import { z } from 'zod'
import type { BodyLimits } from '../../http/bodies/fields.ts'
import { defineInput } from '../../http/input/input.ts'
import { expecting, isStorable } from '../../objects/taken.ts'

/** Some 5,000 lines. A larger report is handed in in parts. */
export const SETTLEMENT_FILE_BODY: BodyLimits = { bytes: 1_048_576, depth: 2, entries: 10 }

export const SETTLEMENT_FILE = defineInput(() => ({
  content: z
    .string(expecting('the text of a report'))
    .refine((text) => text.trim() !== '', 'is empty')
    .refine(isStorable, 'has characters that cannot be stored')
    .describe('The whole text of the report, with its line of headers.'),
}))
