import type { Proof } from './proof.ts'

/** Something that the documentation says of the whole, with what shows it. */
export interface Claim {
  /** What it is about, as a heading of its row. */
  about: string
  /** What is done about it, in a sentence or two. */
  says: string
  proofs: readonly Proof[]
}
