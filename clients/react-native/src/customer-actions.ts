import { decodeBase64, encodeBase64 } from './base64.ts'
import type { ThreeDSAuthenticationRequest, ThreeDSChallenge, ThreeDSConfiguration } from './three-d-s-service.ts'
import { readFields, textIn } from './wire.ts'

/** A step that the service asks of the customer, as far as the library knows it. */
export type CustomerAction = {
  /** The source that tells the service that the customer has canceled. */
  canceledSource: string
} & (
  | { kind: 'native fingerprint'; configuration: ThreeDSConfiguration }
  | { kind: 'native challenge'; challenge: ThreeDSChallenge }
  /** A page in a browser session; `isFingerprint` if the customer has nothing to do there. */
  | { kind: 'page'; url: string; isFingerprint: boolean }
  /** Of a later version of the interface, or broken. */
  | { kind: 'unreadable'; problem: string }
)

type Fields = NonNullable<ReturnType<typeof readFields>>

export function readAction({ type, value }: { type: string; value: string }): CustomerAction {
  switch (type) {
    case 'fingerprint-mobile': {
      const configuration = readNative(value, configurationIn)
      return configuration === null ? BROKEN : { kind: 'native fingerprint', configuration, canceledSource: CANCELED }
    }
    case 'challenge-mobile': {
      const challenge = readNative(value, challengeIn)
      return challenge === null ? BROKEN : { kind: 'native challenge', challenge, canceledSource: CANCELED }
    }
    case 'fingerprint':
    case 'redirect':
    case 'url':
      return pageAt(value, type === 'fingerprint')
    default:
      return {
        kind: 'unreadable',
        problem: `This version of the library does not know the action ${type}.`,
        canceledSource: canceledOn(value),
      }
  }
}

/** The source that hands the data about the device to the service; null if the public key is not a complete one. */
export function deviceDataSource(request: ThreeDSAuthenticationRequest): string | null {
  const given = readFields(request.sdkEphemeralPublicKey)
  // These four only: the library may add what it likes, be it the private part.
  const [crv, kty, x, y] = ['crv', 'kty', 'x', 'y'].map((name) => textIn(given?.[name]))
  if (typeof crv !== 'string' || typeof kty !== 'string' || typeof x !== 'string' || typeof y !== 'string') return null
  const body = JSON.stringify({
    deviceChannel: 'app',
    sdkAppID: request.sdkAppId,
    sdkEphemPubKey: { crv, kty, x, y },
    sdkReferenceNumber: request.sdkReferenceNumber,
    sdkTransID: request.sdkTransactionId,
    sdkEncData: request.deviceData,
  })
  return sourceOf({ body })
}

/** The source that tells the service how the challenge ended. */
export function challengeSource(isAuthenticated: boolean): string {
  return sourceOf({ body: JSON.stringify({ transStatus: isAuthenticated ? 'Y' : 'N' }) })
}

/** The source that tells the service that the fingerprint page did not end in time. The spaces are part of the form. */
export function fingerprintTimedOutSource(url: string): string {
  return sourceOf({ url, body: '{ "threeDS2FingerprintTimeout": true }' })
}

const CANCELED = sourceOf({ body: '{"canceled":true}' })

const BROKEN: CustomerAction = {
  kind: 'unreadable',
  problem: 'The data of the action cannot be read.',
  canceledSource: CANCELED,
}

function canceledOn(url: string): string {
  return sourceOf({ url, body: 'canceled=true' })
}

function sourceOf(fields: object): string {
  return `gway_req_${encodeBase64(JSON.stringify(fields))}`
}

function pageAt(url: string, isFingerprint: boolean): CustomerAction {
  const canceledSource = canceledOn(url)
  if (/^https?:\/\//i.test(url)) return { kind: 'page', url, isFingerprint, canceledSource }
  return { kind: 'unreadable', problem: 'The address of the page is not a web address.', canceledSource }
}

function readNative<T>(value: string, read: (fields: Fields) => T | null): T | null {
  const text = decodeBase64(value)
  const fields = text === null ? null : readFields(text)
  return fields === null ? null : read(fields)
}

function configurationIn(fields: Fields): ThreeDSConfiguration | null {
  const directoryServerId = textIn(fields.directoryServerID)
  const directoryServerPublicKey = textIn(fields.directoryServerPublicKey)
  const threeDSServerTransactionId = textIn(fields.threeDSServerTransID)
  const messageVersion = textIn(fields.messageVersion)
  const authorities: unknown = fields.directoryServerRootCAs
  if (!Array.isArray(authorities) || !authorities.every((one): one is string => typeof one === 'string')) return null
  if (directoryServerId === null || directoryServerPublicKey === null) return null
  if (threeDSServerTransactionId === null || messageVersion === null) return null
  return {
    directoryServerId,
    directoryServerPublicKey,
    directoryServerRootCAs: authorities,
    threeDSServerTransactionId,
    messageVersion,
    scheme: textIn(fields.scheme),
  }
}

function challengeIn(fields: Fields): ThreeDSChallenge | null {
  const acsTransactionId = textIn(fields.acsTransID)
  const acsReferenceNumber = textIn(fields.acsReferenceNumber)
  const acsSignedContent = textIn(fields.acsSignedContent)
  const threeDSServerTransactionId = textIn(fields.threeDSServerTransID)
  if (acsTransactionId === null || acsReferenceNumber === null) return null
  if (acsSignedContent === null || threeDSServerTransactionId === null) return null
  return { acsTransactionId, acsReferenceNumber, acsSignedContent, threeDSServerTransactionId }
}
