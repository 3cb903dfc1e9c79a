/** Limits of a rule set. All are far above what rule sets of merchants need, and keep reading and evaluating one cheap. */

/** A decision looks at every rule once; thousands of them would be a list, and belong into metadata. */
export const RULES_MAX = 500
/** Of the text form, in UTF-16 units: 500 long rules. */
export const TEXT_LENGTH_MAX = 200_000
/** Nested parentheses and NOTs, which are walked by recursion. */
export const CONDITION_DEPTH_MAX = 20
export const COMPARISONS_MAX = 100
/** All countries, twice. */
export const LIST_LENGTH_MAX = 500
/** Of a value in a condition, and of a metadata key. */
export const VALUE_LENGTH_MAX = 255
export const GATEWAYS_MAX = 20
/** Shares of a thousand are fine enough for a split, and sums of weights stay small whole numbers. */
export const WEIGHT_MAX = 1_000
export const TAGS_MAX = 20
export const TAG_LENGTH_MAX = 100
/** Of what is wrong with a rule set: nobody corrects more at once, and a list of thousands would be as long as the text. */
export const PROBLEMS_TOLD_MAX = 20
/** Each attempt is another gateway, up to 15 s long, while the customer waits. */
export const ATTEMPTS_MAX = 5
/** Counts read rows of the payments of an interval, and nobody looks for a burst over more than a month. */
export const VELOCITY_SECONDS_MAX = 30 * 24 * 3600
