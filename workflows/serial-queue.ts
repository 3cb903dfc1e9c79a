/** Runs the steps of one payment one after the other, in the order of arrival. Message handlers interleave at every await. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  /** True if no step runs or waits. */
  get isIdle(): boolean {
    return this.#waiting === 0
  }

  /** Resolves once no step runs or waits. */
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
