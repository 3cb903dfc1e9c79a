import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/**
 * What native libraries of 3-D Secure are given. The values have the form that they have at a real directory server; a
 * library that trusts only the schemes' own certificates will refuse them.
 */

/** Registered application provider ids. Source: ISO 7816-5, as the schemes' chips and directory servers use them. */
const DIRECTORY_SERVER_IDS: Readonly<Record<string, string>> = {
  visa: 'A000000003',
  mastercard: 'A000000004',
  'american express': 'A000000025',
  'carte bancaire': 'A000000042',
  jcb: 'A000000065',
  'diners club': 'A000000152',
  discover: 'A000000152',
}
const OTHER_DIRECTORY_SERVER_ID = 'F000000000'

/** A JSON Web Key. Its private half is thrown away: nobody can read what is encrypted with it. */
const DIRECTORY_SERVER_PUBLIC_KEY = JSON.stringify({
  kty: 'EC',
  crv: 'P-256',
  x: 'FhzaS8ytBEBXbLTCmvxdIcH5ExjKEGDk09v9Nz4wM6w',
  y: 'OTGkzxSbCDXAcoJQKypLD3Eyfs1_o5WpdbNELcxsDuo',
})

/** The certificate of that key pair, signed by itself, as DER in base64. */
const DIRECTORY_SERVER_ROOT_CA = [
  'MIIB6DCCAY+gAwIBAgIURjNDL5LnI8BkG1lliOxwCZxpPJgwCgYIKoZIzj0EAwIwQTEjMCEGA1UECgwaU2ltdWxhdGVkIERpcmVj',
  'dG9yeSBTZXJ2ZXIxGjAYBgNVBAMMEVNpbXVsYXRlZCBSb290IENBMCAXDTI2MTEyMzIxNTA1M1oYDzIwNTExMTE3MjE1MDUzWjBB',
  'MSMwIQYDVQQKDBpTaW11bGF0ZWQgRGlyZWN0b3J5IFNlcnZlcjEaMBgGA1UEAwwRU2ltdWxhdGVkIFJvb3QgQ0EwWTATBgcqhkjO',
  'PQIBBggqhkjOPQMBBwNCAAQWHNpLzK0EQFdstMKa/F0hwfkTGMoQYOTT2/03PjAzrDkxpM8Umwg1wHKCUCsqSw9xMn7Nf6OVqXWz',
  'RC3MbA7qo2MwYTAdBgNVHQ4EFgQUyP9CcR/xiBCgvsElbenXcUtKa+QwHwYDVR0jBBgwFoAUyP9CcR/xiBCgvsElbenXcUtKa+Qw',
  'DwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYwCgYIKoZIzj0EAwIDRwAwRAIgeF+CV7j4r3FGSgbNNSnm59VfIQsQ6hHU',
  'p0APmLbycXkCIDlfy07E4Kw7CHftEnj13eHL1wuGvpR8R0usu1u0eRc2',
].join('')

/** The directory server of a scheme, under the names that the libraries use. */
export function directoryServerOf(scheme: string | null) {
  return {
    directoryServerID: DIRECTORY_SERVER_IDS[scheme ?? ''] ?? OTHER_DIRECTORY_SERVER_ID,
    directoryServerPublicKey: DIRECTORY_SERVER_PUBLIC_KEY,
    directoryServerRootCAs: [DIRECTORY_SERVER_ROOT_CA],
  }
}

/** Signs for the simulated access control server. Its key lives as long as the process. */
let signingKeys: { publicKey: KeyObject; privateKey: KeyObject } | null = null

/**
 * The keys with which library and access control server would agree on a secret, as a JSON Web Signature. A real one
 * names the certificate of its key (`x5c`); ours contains the key itself. Sources: EMVCo's specification, RFC 7515.
 */
export function acsSignedContent(sdkEphemPubKey: Readonly<Record<string, string>>): string {
  signingKeys ??= generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { publicKey, privateKey } = signingKeys
  const { publicKey: acsKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const header = { alg: 'ES256', typ: 'JOSE', jwk: publicKey.export({ format: 'jwk' }) }
  const content = {
    acsEphemPubKey: acsKey.export({ format: 'jwk' }),
    sdkEphemPubKey,
    acsURL: 'https://acs.simulator.invalid/challenge',
  }
  const signed = [header, content].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}
