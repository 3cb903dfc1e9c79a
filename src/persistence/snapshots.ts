import { readFileSync } from 'node:fs'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { Type } from '@mikro-orm/postgresql'

/** The stored snapshot of an event, in the shape of the API's answers. */
export type Snapshot = Record<string, unknown>

/**
 * Texts that snapshots resemble, by number. Each was the snapshot of a refund and of a capture, without ids and times. None is ever
 * changed: what was packed with it could not be read any more. A new one is released before anything is packed with it, since
 * processes of the release before read what those of the next one write.
 */
const DICTIONARIES: Readonly<Record<number, Buffer>> = {
  1: readFileSync(new URL('./snapshot-dictionary-1.txt', import.meta.url)),
}
const CURRENT = 1

/** The first byte of a snapshot that is stored as its text, as those are that people write by hand. */
const TEXT = '{'.charCodeAt(0)

/**
 * Packs the JSON of a snapshot: the number of the dictionary, and what DEFLATE (RFC 1951) makes of the text with it. A payment
 * takes 11,000 characters, most of them the same in every event, and 700 bytes; PostgreSQL, which compresses each row alone, makes
 * 2,500 of them.
 */
export function packSnapshot(snapshot: Snapshot): Buffer {
  const packed = deflateRawSync(JSON.stringify(snapshot), { dictionary: DICTIONARIES[CURRENT] as Buffer })
  return Buffer.concat([Buffer.of(CURRENT), packed])
}

/** @throws Error where a later release has packed it. */
export function unpackSnapshot(stored: Buffer): Snapshot {
  const [first = TEXT] = stored
  if (first === TEXT) return JSON.parse(stored.toString())
  const dictionary = DICTIONARIES[first]
  if (dictionary === undefined) throw new Error(`This release has no dictionary ${first} for the snapshots of events.`)
  return JSON.parse(inflateRawSync(stored.subarray(1), { dictionary }).toString())
}

/** A column of snapshots. */
export class SnapshotType extends Type<Snapshot, Buffer> {
  override convertToDatabaseValue(value: Snapshot): Buffer {
    return packSnapshot(value)
  }

  override convertToJSValue(value: Buffer): Snapshot {
    return unpackSnapshot(value)
  }

  override compareAsType(): string {
    return 'Buffer'
  }

  override getColumnType(): string {
    return 'bytea'
  }
}
