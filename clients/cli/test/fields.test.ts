import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { UsageError } from '../src/failures.ts'
import type { Io } from '../src/io.ts'
import { bodyOf } from '../src/operations/fields.ts'
import type { Operation } from '../src/operations/operation.ts'

/** What becomes of the texts that were typed, piped or written into a file. */

const OPERATION = { fields: [{ name: 'name', kind: 'text' }] } as unknown as Operation
const MARK = '\ufeff'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-fields-'))
})
afterAll(() => rm(folder, { recursive: true }))

interface Source {
  typed?: string
  /** What `@FILE` names, or the standard input `@-`. */
  file?: string | Uint8Array
  piped?: string
}

async function nameFrom({ typed, file, piped }: Source): Promise<unknown> {
  if (file !== undefined) await writeFile(join(folder, 'name.txt'), file)
  const given = typed ?? (file === undefined ? '@-' : `@${join(folder, 'name.txt')}`)
  const io = { stdin: Readable.from([Buffer.from(piped ?? '')]) } as unknown as Io
  return bodyOf(OPERATION, new Map([['name', given]]), undefined, io)
}

test.each<[string, Source, string]>([
  ['a text', { typed: 'joe@shop' }, 'joe@shop'],
  ['a text that begins with @', { typed: '@@joe' }, '@joe'],
  ['a text that begins with two', { typed: '@@@joe' }, '@@joe'],
  ['a file', { file: 'Order 1' }, 'Order 1'],
  ['a file with a line end', { file: 'Order 1\n' }, 'Order 1'],
  ['a file of Windows', { file: `${MARK}Order 1\r\n` }, 'Order 1'],
  ['a file of several lines', { file: 'Order\n\n1\n\n' }, 'Order\n\n1\n'],
  ['the standard input', { piped: `${MARK}Order 1\n` }, 'Order 1'],
])('the value of a field is %s', async (_, source, name) => {
  expect(await nameFrom(source)).toEqual({ name })
})

test('what is no text in UTF-8 is refused, and not sent as something else', async () => {
  await expect(nameFrom({ file: Buffer.from(`${MARK}Order 1`, 'utf16le') })).rejects.toThrow(UsageError)
})

test('--data reads a file and a pipe that begin with a byte order mark', async () => {
  const text = `${MARK}{"name": "Order 1"}\r\n`
  const file = join(folder, 'data.json')
  await writeFile(file, text)
  const io = { stdin: Readable.from([Buffer.from(text)]) } as unknown as Io
  for (const data of [file, '-']) expect(await bodyOf(OPERATION, new Map(), data, io)).toEqual({ name: 'Order 1' })
})
