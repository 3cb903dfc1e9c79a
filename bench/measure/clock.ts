/**
 * The one clock of all measuring processes: the machine's monotonic one, which no correction of the wall clock moves and
 * which reads the same in every process of the machine.
 *
 * @returns milliseconds since an instant that means nothing.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
