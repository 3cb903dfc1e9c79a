import { readFileSync } from 'node:fs'
import type { AddressKind } from '../../src/webhooks/address.ts'

type Groups = Readonly<Record<string, readonly string[]>>

interface Vectors {
  addresses: Readonly<Record<AddressKind, readonly string[]>>
  loopbackHosts: Groups
  forbiddenHosts: Groups
  localNames: readonly (readonly [name: string, address: string])[]
  loopbackUrls: readonly string[]
  invalidUrls: Groups
  plainHttpUrls: readonly string[]
  badAnswers: Groups
}

/**
 * Attempts to have a webhook sent where none belongs. `{port}` stands for a port of this machine that listens on all
 * its addresses.
 */
const vectors: Vectors = JSON.parse(readFileSync(new URL('./ssrf-vectors.json', import.meta.url), 'utf8'))

/** Addresses by where they lead. */
export const ADDRESSES = vectors.addresses
/** Hosts that are this machine, in every notation: where the guard has a hole, the connection arrives. */
export const LOOPBACK_HOSTS = Object.values(vectors.loopbackHosts).flat()
/** Hosts that are in the network of this machine, or are special; by what makes them so. */
export const FORBIDDEN_HOSTS = vectors.forbiddenHosts
/** Names that lead into this machine or its network, and what a resolver of that network says. */
export const LOCAL_NAMES = vectors.localNames
/** Whole URLs that look as if they led elsewhere than to this machine. */
export const LOOPBACK_URLS = vectors.loopbackUrls
/** What is no web address, or one that parsers read differently. */
export const INVALID_URLS = Object.values(vectors.invalidUrls).flat()
/** Allowed in the sandbox, refused in live. */
export const PLAIN_HTTP_URLS = vectors.plainHttpUrls
/** Addresses of which a resolver gives one and the same name all: each list holds at least one that is bad. */
export const BAD_ANSWERS = Object.entries(vectors.badAnswers)
