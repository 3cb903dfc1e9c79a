import type { Answered } from './last-response.ts'
import type { ListParams } from './options.ts'

export type Page<T> = Answered<{
  data: T[]
  /** Whether more objects follow in the direction of reading. */
  has_more: boolean
  count: number
  /** Of the whole list, as it is filtered; 10,000 where `total_count_capped` is true. */
  total_count: number
  total_count_capped: boolean
  limit: number
  order: 'asc' | 'desc'
}>

const LARGEST_PAGE = 100

/**
 * A list that is read when it is asked for: as a promise it is the page that the parameters name, `for await` reads every
 * object from there on, and `for await` over `pages()` every page.
 */
export class List<T extends { id: string }> extends Promise<Page<T>> implements AsyncIterable<T> {
  /** What `then`, `catch` and `finally` give is a promise as any other. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  readonly #params: ListParams
  readonly #read: (params: ListParams) => Promise<Page<T>>
  #page: Promise<Page<T>> | undefined

  constructor(params: ListParams = {}, read: (params: ListParams) => Promise<Page<T>>) {
    // Settled by nobody: `await`, `catch` and `finally` all go through `then`, which reads the page.
    super(() => {})
    this.#params = params
    this.#read = read
  }

  // biome-ignore lint/suspicious/noThenProperty: whoever only iterates is not to read a page beside that.
  override then<A = Page<T>, B = never>(
    resolve?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    reject?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#page ??= this.#read(this.#params)
    return this.#page.then(resolve, reject)
  }

  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    const isBackwards = this.#params.end_before !== undefined
    let params = { limit: LARGEST_PAGE, ...this.#params }
    while (true) {
      const page = await this.#read(params)
      yield page
      const last = page.data.at(isBackwards ? 0 : -1)
      if (!page.has_more || last === undefined) return
      params = { ...params, [isBackwards ? 'end_before' : 'start_after']: last.id }
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const isBackwards = this.#params.end_before !== undefined
    for await (const { data } of this.pages()) yield* isBackwards ? data.toReversed() : data
  }
}
