import { defineInput } from '../../http/input/input.ts'
import { requiredText } from '../../objects/taken.ts'

/** A sentence or two, and the number of a letter. */
const REASON_LENGTH_MAX = 500

export const RESOLUTION = defineInput(() => ({
  reason: requiredText(REASON_LENGTH_MAX).describe('Why nothing is left to be done, for those who audit the books.'),
}))
