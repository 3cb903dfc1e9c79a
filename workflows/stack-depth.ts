/**
 * How many lines the stack of an error in a workflow has, of V8's ten. The SDK makes an error for every promise of a
 * run, for whoever asks where it waits, and looks each line up in the source map: with ten, that was a third of what a
 * run cost its thread. A few are enough to find where an error was thrown; where a payment stands is in its details.
 */
const STACK_LINES_MAX = 4

Error.stackTraceLimit = STACK_LINES_MAX
