/**
 * Stack lines of an error in a workflow; V8's default is ten. For its stack-trace query the SDK creates an error for every
 * promise of a run and looks each line up in the source map. With ten lines that took a third of a run's CPU time. Four are
 * enough to find where an error was thrown.
 */
const STACK_LINES_MAX = 4

Error.stackTraceLimit = STACK_LINES_MAX
