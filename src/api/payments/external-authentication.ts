import type { ExternalAuthentication } from '../../../domain/authentication.ts'
import { type Problem, problem } from '../../http/input/input.ts'
import type { Fields } from '../../http/middleware/body.ts'
import { group, optionalText, optionalWord } from '../../objects/taken.ts'

/** Source of the lengths: EMVCo's specification of 3-D Secure; 28 characters are the 20 bytes of a proof in base64. */
const PROOF_LENGTH_MAX = 40
const ID_LENGTH_MAX = 36

/** An authentication that the merchant has made with another provider. Source of the names: ProcessOut's reference. */
export const externalAuthentication = group({
  xid: optionalText(PROOF_LENGTH_MAX).describe('Of version 1: the id of the authentication.'),
  trans_status: optionalWord(['Y', 'A']).describe('`Y`: authenticated; `A`: attempted.'),
  eci: optionalText(2, { matches: /^0?[0-7]$/, message: 'must be an indicator such as 05' }).describe(
    'The electronic commerce indicator.',
  ),
  cavv: optionalText(PROOF_LENGTH_MAX, {
    matches: /^[A-Za-z0-9+/]+={0,2}$/,
    message: 'must be base64',
  }).describe('The issuer’s proof, in base64. It is in no log and no answer.'),
  ds_trans_id: optionalText(ID_LENGTH_MAX).describe('Of version 2: the id at the directory server.'),
  version: optionalText(10, {
    matches: /^[12](\.\d){1,2}$/,
    message: 'must be a version such as 2.2.0',
  }).describe('The version of 3-D Secure.'),
  authentication_flow: optionalWord(['FRICTIONLESS', 'CHALLENGE']).describe(
    'Whether the customer had to do something.',
  ),
})

type Given = ReturnType<(typeof externalAuthentication)['parse']>

/** What schemes need to take an authentication over. */
export function externalProblems({ external_three_d_s: given }: Fields): Problem[] {
  if (typeof given !== 'object' || given === null) return []
  const fields = given as Record<string, unknown>
  const isFirst = typeof fields.version === 'string' && fields.version.startsWith('1')
  const needed = ['trans_status', 'eci', 'cavv', 'version', isFirst ? 'xid' : 'ds_trans_id']
  return needed
    .filter((name) => fields[name] === undefined || fields[name] === null || fields[name] === '')
    .map((name) => problem(`external_three_d_s.${name}`, 'is missing'))
}

/** @throws Error for fields in which `externalProblems` finds a problem. */
export function externalAuthenticationOf(given: Given | undefined): ExternalAuthentication | null {
  if (given === undefined) return null
  const { trans_status: transStatus, eci, cavv, version, xid, ds_trans_id: dsTransId } = given
  if (transStatus === null || eci === null || cavv === null || version === null) throw new Error('not complete')
  const wasChallenged = given.authentication_flow === 'CHALLENGE'
  return { version, transStatus, eci: eci.padStart(2, '0'), cavv, xid, dsTransId, wasChallenged }
}
