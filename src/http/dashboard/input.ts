import { z } from 'zod'
import { PERMISSIONS } from '../../../domain/permission.ts'
import { ROLES } from '../../../domain/role.ts'
import { isEmailAddress } from '../../objects/contacts.ts'
import { coded, expecting, requiredName, requiredText } from '../../objects/taken.ts'
import { defineInput, invalidField } from '../input/input.ts'
import type {
  CodeGeneratorRequest,
  InvitationRequest,
  LinkRequest,
  NewAccountRequest,
  NewApiKeyRequest,
  NewPasskeyRequest,
  PasswordProof,
  PasswordRequest,
  ResetRequest,
  RoleRequest,
  SecondFactorRequest,
  SecondFactorRule,
  SignInRequest,
} from './contract.ts'
import { weaknessOf } from './password-rules.ts'

const PASSWORD_LENGTH_MAX = 200

/** Of an account that may exist: whatever is typed is only compared. */
const typedText = requiredText(PASSWORD_LENGTH_MAX)

const email = coded(requiredText(254).refine(isEmailAddress, 'must be an email address'), {
  invalid: 'request.validation.invalid-email',
  missing: 'request.validation.invalid-email',
})

const role = z.enum(ROLES, expecting(`one of ${ROLES.join(', ')}`))

export const SIGN_IN = defineInput(
  () => ({ email: requiredText(254), password: typedText }) satisfies Record<keyof SignInRequest, z.ZodType>,
)

/** Looked at by `refuseWeakPassword`, as soon as the account is known. */
const chosenPassword = requiredText(PASSWORD_LENGTH_MAX)

/** @throws ApiError 400 where a password that somebody chooses is too easy to guess. */
export function refuseWeakPassword(field: string, password: string, email: string): void {
  const weakness = weaknessOf(password, email)
  if (weakness !== null) throw invalidField(field, weakness)
}

export const NEW_PASSWORD = defineInput(
  () =>
    ({ current_password: typedText, new_password: chosenPassword }) satisfies Record<keyof PasswordRequest, z.ZodType>,
)

/** The password of the person of the session, given once more. */
export const PASSWORD_PROOF = defineInput(
  () => ({ current_password: typedText }) satisfies Record<keyof PasswordProof, z.ZodType>,
)

/** What a browser's library makes of a passkey; that of the service reads it. */
const passkey = z.looseObject({ id: requiredText(1_400) }, expecting('the answer of a passkey'))

const code = requiredText(40).transform((text) => text.replaceAll(/\s/g, ''))

export const SECOND_FACTOR = defineInput(
  () =>
    ({
      code: code.optional(),
      recovery_code: requiredText(100).optional(),
      passkey: passkey.optional(),
    }) satisfies Record<keyof SecondFactorRequest, z.ZodType>,
)

export const NEW_PASSKEY = defineInput(
  () => ({ name: requiredName, passkey }) satisfies Record<keyof NewPasskeyRequest, z.ZodType>,
)

export const CODE_GENERATOR = defineInput(
  () =>
    ({
      secret: requiredText(40).regex(/^[A-Z2-7]{32}$/, 'must be the one of the answer'),
      proof: requiredText(100),
      code,
    }) satisfies Record<keyof CodeGeneratorRequest, z.ZodType>,
)

export const SECOND_FACTOR_RULE = defineInput(
  () => ({ required: z.boolean(expecting('true or false')) }) satisfies Record<keyof SecondFactorRule, z.ZodType>,
)

/** The secret of a one-time link. */
const token = requiredText(100)

export const LINK = defineInput(() => ({ token }) satisfies Record<keyof LinkRequest, z.ZodType>)

export const NEW_ACCOUNT = defineInput(
  () => ({ token, name: requiredName, password: chosenPassword }) satisfies Record<keyof NewAccountRequest, z.ZodType>,
)

export const RESET = defineInput(
  () => ({ token, new_password: chosenPassword }) satisfies Record<keyof ResetRequest, z.ZodType>,
)

export const NEW_INVITATION = defineInput(() => ({ email, role }) satisfies Record<keyof InvitationRequest, z.ZodType>)

export const NEW_ROLE = defineInput(() => ({ role }) satisfies Record<keyof RoleRequest, z.ZodType>)

export const NEW_API_KEY = defineInput(
  () =>
    ({
      name: requiredName,
      permissions: z
        .array(z.enum(PERMISSIONS, expecting(`one of ${PERMISSIONS.join(', ')}`)), expecting('a list of permissions'))
        .min(1, 'must name a permission')
        .transform((given) => PERMISSIONS.filter((permission) => given.includes(permission))),
    }) satisfies Record<keyof NewApiKeyRequest, z.ZodType>,
)
