/** Limits of a rule set. All are far above what merchants need, and keep parsing and evaluation cheap. */

/** A decision evaluates every rule. Thousands of rules would be a list, which belongs into metadata. */
export const RULES_MAX = 500
/** The text form, in UTF-16 units: 500 long rules. */
export const TEXT_LENGTH_MAX = 200_000
/** Nested parentheses and NOTs, which are processed recursively. */
export const CONDITION_DEPTH_MAX = 20
export const COMPARISONS_MAX = 100
/** All countries, twice. */
export const LIST_LENGTH_MAX = 500
/** A value in a condition, or a metadata key. */
export const VALUE_LENGTH_MAX = 255
export const GATEWAYS_MAX = 20
/** Per mille is fine enough for a split, and sums of weights stay small integers. */
export const WEIGHT_MAX = 1_000
export const TAGS_MAX = 20
export const TAG_LENGTH_MAX = 100
/** Reported problems of a rule set. More are not corrected at once, and thousands would be as long as the text. */
export const PROBLEMS_TOLD_MAX = 20
/** Each attempt at another gateway takes up to 15 s, while the customer waits. */
export const ATTEMPTS_MAX = 5
/** Different counts of a rule set: each payment has them counted. */
export const VELOCITIES_MAX = 20
/** A count reads a row for each payment of the interval. Bursts over more than a month are not a use case. */
export const VELOCITY_SECONDS_MAX = 30 * 24 * 3600
