import { LIMIT_MAX } from '../../domain/rate-limits.ts'

/** What a test asks is no attack: only the tests of the limiter are to meet a limit. */
export const HIGH_LIMITS = { primaryLimit: LIMIT_MAX, secondaryLimit: LIMIT_MAX, sandboxLimit: LIMIT_MAX }
