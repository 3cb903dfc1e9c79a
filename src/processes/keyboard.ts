import { execFileSync } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * Shows a text again whenever somebody enters `h`; false where nobody can. A process in the background of a terminal would be
 * stopped by the system for reading from it, so it does not.
 */
export function showAgainOnDemand(show: () => void): boolean {
  if (!process.stdin.isTTY || !isInForeground()) return false
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (line.trim().toLowerCase() === 'h') show()
  })
  return true
}

function isInForeground(): boolean {
  try {
    return execFileSync('ps', ['-o', 'stat=', '-p', String(process.pid)], { encoding: 'utf8' }).includes('+')
  } catch {
    return false
  }
}
