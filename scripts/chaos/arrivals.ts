import { readFileSync } from 'node:fs'

/** A webhook as a receiver has written it down. */
export interface Arrival {
  /** Epoch ms. */
  at: number
  method: string
  path: string
  /** The header `webhook-id`. */
  messageId: string
  contentType: string
  body: string
  /** `absent`, `valid`, or what is wrong with it. */
  signature: string
  /** The status that it was about to be answered with; null for none. */
  answer: number | null
}

/** What a receiver has written down. A line that was not finished when it was killed is none. */
export function readArrivals(file: string): Arrival[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Arrival]
      } catch {
        return []
      }
    })
}
