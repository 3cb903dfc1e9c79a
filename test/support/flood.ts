import { once } from 'node:events'
import type { RawConnection } from './raw-connection.ts'

const PIECE = Buffer.alloc(65_536, 'x')

/** So many bytes show that the other side takes whatever comes. */
export const FLOOD_BYTES = 128 * 1024 * 1024

/**
 * Sends `piece` again and again until the other side ends the connection, or has let everything through.
 *
 * @returns how many bytes it let through; what the system keeps for it, some MiB, counts as well.
 */
export async function flood({ socket }: RawConnection, piece: Buffer = PIECE): Promise<number> {
  // Who is up to no good does not stop because it was answered.
  socket.allowHalfOpen = true
  let taken = 0
  const ended = Promise.race([once(socket, 'close'), once(socket, 'error').catch(() => {})]).then(() => false)
  while (taken < FLOOD_BYTES && !socket.destroyed && socket.writable) {
    const sent = new Promise<boolean>((resolve) => socket.write(piece, (error) => resolve(error == null)))
    if (!(await Promise.race([sent, ended]))) break
    taken += piece.length
  }
  return taken
}
