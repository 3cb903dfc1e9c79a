import type { DestinationStream } from 'pino'

/** Nobody reads a log sooner, and in a busy process it is time for some ten lines. */
const WAIT_MS = 10

/** More than ordinary lines come to in that time; they are written at once, so that little is ever kept in memory. */
const LENGTH_MAX = 65_536

/**
 * Has lines that come shortly after each other written as one text: each writing is a call into the system, which takes longer
 * than everything else about an ordinary line. What waits is written before the process exits, whatever the reason; only one
 * that is killed takes along the lines of its last ten milliseconds.
 *
 * @param destination which must write before it returns.
 */
export function linesTogether(destination: DestinationStream): DestinationStream {
  let waiting = ''
  let timer: NodeJS.Timeout | undefined
  const writeAll = () => {
    const text = waiting
    waiting = ''
    clearTimeout(timer)
    timer = undefined
    if (text !== '') destination.write(text)
  }
  process.once('exit', writeAll)
  return {
    write(line: string) {
      waiting += line
      if (waiting.length >= LENGTH_MAX) writeAll()
      else timer ??= setTimeout(writeAll, WAIT_MS)
    },
  }
}
