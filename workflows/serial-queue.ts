/**
 * Runs the steps of one payment strictly one after the other, in the order of arrival: message handlers interleave
 * at every await, and money must not.
 */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** True when nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.#waiting === 0
  }

  /** Resolves once nothing runs and nothing waits; at once where that is so already. */
  async untilIdle(): Promise<void> {
    while (!this.isIdle) await this.#last
  }

  run<T>(step: () => Promise<T>): Promise<T> {
    this.#waiting += 1
    const result = this.#last.then(step).finally(() => {
      this.#waiting -= 1
    })
    this.#last = result.catch(() => undefined)
    return result
  }
}
