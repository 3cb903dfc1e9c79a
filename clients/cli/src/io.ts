import type { Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { UsageError } from './failures.ts'

/** What the command line has of the process that it runs in. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>
  /** How a hint calls the command line, such as `holdfast` or `npx --no -- holdfast`. */
  command: string
  /** Where `.data/sandbox.json` of a checkout is looked for. */
  folder: string
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable & { isTTY?: boolean; columns?: number }
  stderr: Writable & { isTTY?: boolean }
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

export const say = ({ stdout }: Io, text: string) => void stdout.write(`${text}\n`)

/** What is no part of the answer: it does not disturb who reads that from a pipe. */
export const remark = ({ stderr }: Io, text: string) => void stderr.write(`${text}\n`)

/** How wide a line may be. */
export const widthOf = ({ stdout: { columns } }: Io) => columns ?? 80

/** All that is piped in. */
export const readInput = async ({ stdin }: Io) => textOf(await buffer(stdin), 'The standard input')

/**
 * Without the byte order mark that some editors write.
 *
 * @throws UsageError for what is no text in UTF-8.
 */
export function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError(`${name} is no text in UTF-8.`)
  }
}
