/** A test that shows a sentence of the documentation to be true. */
export interface Proof {
  /** Relative to the root of the project. */
  file: string
  /** As it is written in the file, or with the words of one row of its table in the place of the first `%s`. */
  title: string
}

/** Names the tests of one file. */
export function testsIn(file: string): (title: string) => Proof {
  return (title) => ({ file, title })
}
