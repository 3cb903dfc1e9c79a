import { z } from 'zod'

/** The answer of an endpoint that shows objects. */
export const ok = <Shape extends z.ZodRawShape>(shape: Shape) => ({
  200: z.strictObject({ success: z.literal(true).describe('Always true.'), ...shape }),
})
