import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type Line, makeLine } from './line.ts'
import { waitFor } from './wait-for.ts'

/** Longer than a byte takes on a busy machine, and shorter than the latency of a slow line. */
const SHORT_MS = 1_000

let server: Server
let line: Line
beforeEach(async () => {
  server = createServer((socket) => void socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  line = await makeLine('127.0.0.1', (server.address() as AddressInfo).port)
})
afterEach(async () => {
  await line.remove()
  await new Promise((resolve) => server.close(resolve))
})

async function dial(): Promise<Socket> {
  const socket = connect(line.port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** What comes back of a word, or how the connection ends; null where neither happens soon. */
async function say(socket: Socket, word: string): Promise<string | null> {
  const ended = Promise.withResolvers<string>()
  socket.once('error', (error: NodeJS.ErrnoException) => ended.resolve(String(error.code)))
  socket.once('data', (bytes) => ended.resolve(String(bytes)))
  socket.write(word)
  return Promise.race([ended.promise, sleep(SHORT_MS, null)])
}

test('a line without trouble carries both ways, and the end of each side', async () => {
  const socket = await dial()
  expect(await say(socket, 'word')).toBe('word')
  socket.end()
  await once(socket, 'end')
})

test('a line that resets breaks what is there, and what comes later, too', async () => {
  const socket = await dial()
  await line.disturb('reset')
  expect(await say(socket, 'word')).toMatch(/ECONNRESET|EPIPE/)
  const later = await dial()
  expect(['word', 'ECONNRESET']).toContain(await say(later, 'word'))
  await waitFor(() => later.closed)
})

test('a slow line delivers, and later', async () => {
  const socket = await dial()
  await line.disturb('slow')
  expect(await say(socket, 'word')).toBeNull()
  expect(String((await once(socket, 'data'))[0])).toBe('word')
  socket.destroy()
})

test('a half-open line delivers nothing while it lasts, and all of it afterwards', async () => {
  const socket = await dial()
  await line.disturb('half-open')
  const later = await dial()
  expect([await say(socket, 'one'), await say(later, 'two')]).toEqual([null, null])
  const arrived = Promise.all([once(socket, 'data'), once(later, 'data')])
  await line.mend()
  expect((await arrived).map(([bytes]) => String(bytes))).toEqual(['one', 'two'])
  socket.destroy()
  later.destroy()
})

test('a line without a route breaks what is there, refuses, and is there again', async () => {
  const socket = await dial()
  await line.disturb('no-route')
  expect(await say(socket, 'word')).toMatch(/ECONNRESET|EPIPE/)
  await expect(dial()).rejects.toThrow('ECONNREFUSED')
  await line.mend()
  const later = await dial()
  expect(await say(later, 'word')).toBe('word')
  later.destroy()
})
