import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What a device does otherwise than it should. */
export interface Oddities {
  origin?: string
  rpId?: string
  challenge?: string
  isVerified?: boolean
  signCount?: number
  /** Of the certificates that it shows. */
  format?: string
  /** That somebody else has signed. */
  key?: KeyObject
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url')

/** The least of CBOR (RFC 8949) that a passkey needs: numbers, texts, bytes, and maps of them. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, size: number) => {
    if (size < 24) return Buffer.from([(major << 5) | size])
    return size < 256 ? Buffer.from([(major << 5) | 24, size]) : Buffer.from([(major << 5) | 25, size >> 8, size & 255])
  }
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...value].flatMap(([key, one]) => [cbor(key), cbor(one as Buffer)])
  return Buffer.concat([head(5, value.size), ...entries])
}

/** A device with one passkey, as a browser at `origin` would ask it. */
export function makeAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let signCount = 0

  function clientData(type: string, challenge: string, odd: Oddities): Buffer {
    return Buffer.from(
      JSON.stringify({ type, challenge: odd.challenge ?? challenge, origin: odd.origin ?? origin, crossOrigin: false }),
    )
  }
  function authenticatorData(flags: number, odd: Oddities, more: Buffer): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(odd.signCount ?? signCount)
    const verified = odd.isVerified === false ? 0 : 0x04
    return Buffer.concat([sha256(odd.rpId ?? new URL(origin).hostname), Buffer.from([flags | verified]), counter, more])
  }
  return {
    id: base64url(id),
    privateKey,
    make(challenge: string, odd: Oddities = {}) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const point = (text: string) => Buffer.from(text, 'base64url')
      const cose = new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, point(x)],
        [-3, point(y)],
      ])
      const data = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(cose)])
      const attestation = new Map<string, unknown>([
        ['fmt', odd.format ?? 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(0x41, odd, data)],
      ])
      const response = {
        clientDataJSON: base64url(clientData('webauthn.create', challenge, odd)),
        attestationObject: base64url(cbor(attestation)),
        transports: ['usb', 'of another kind'],
      }
      return { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {}, response }
    },
    sign(challenge: string, odd: Oddities = {}) {
      signCount += 1
      const client = clientData('webauthn.get', challenge, odd)
      const data = authenticatorData(0x01, odd, Buffer.alloc(0))
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), odd.key ?? privateKey)
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      }
      return { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {}, response }
    },
  }
}
