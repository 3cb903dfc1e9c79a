import { createHash } from 'node:crypto'
import type { GatewayOperationType } from '../../../domain/operation.ts'

const PREFIXES: Record<GatewayOperationType, string> = {
  authorization: 'sim_auth_',
  increment_authorization: 'sim_inc_',
  capture: 'sim_cap_',
  void: 'sim_void_',
  refund: 'sim_ref_',
}

/** The simulator's id for the operation of a reference: always the same, with 96 bits of the reference's hash. */
export function gatewayOperationId(type: GatewayOperationType, reference: string): string {
  return PREFIXES[type] + digest(reference).slice(0, 24)
}

/** Six characters, as issuers give them. */
export function authorizationCode(reference: string): string {
  return digest(`authorization code ${reference}`).slice(0, 6).toUpperCase()
}

/**
 * The scheme's id of an authorization: for Mastercard nine characters and the date as MMDD, for the others 15 digits. Ours
 * begin with a zero, as no card number does, so that a search for leaked numbers ignores them.
 */
export function schemeTransactionId(scheme: string, reference: string, at: Date): string {
  const seed = digest(`scheme transaction ${reference}`)
  if (scheme !== 'mastercard') return String(BigInt(`0x${seed}`) % 10n ** 14n).padStart(15, '0')
  return `MCC${seed.slice(0, 6).toUpperCase()}${at.toISOString().slice(5, 10).replace('-', '')}`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
