import { z } from 'zod'
import { PERMISSIONS } from '../../../domain/permission.ts'
import { ROLES } from '../../../domain/role.ts'
import { isEmailAddress } from '../schemas/fields/contact-fields.ts'
import { coded, expecting, requiredName, requiredText } from '../schemas/fields/fields.ts'
import { defineInput, invalidField } from '../schemas/fields/input.ts'
import type {
  InvitationRequest,
  LinkRequest,
  NewAccountRequest,
  NewApiKeyRequest,
  PasswordRequest,
  ResetRequest,
  RoleRequest,
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
