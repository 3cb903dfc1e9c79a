import type { AppDeps } from '../http/dependencies.ts'

/** As many as fit on a slip of paper. */
const CODES = 10

/** 64 random bits: nobody guesses one within the tries that there are. */
const CODE_BYTES = 8

/** Codes to be written down, `0f3a-…`, each of which replaces the second factor once. */
export function makeRecoveryCodes({ randomBytes }: Pick<AppDeps, 'randomBytes'>): string[] {
  return Array.from({ length: CODES }, () => {
    const digits = Buffer.from(randomBytes(CODE_BYTES)).toString('hex')
    return digits.replace(/(.{4})(?!$)/g, '$1-')
  })
}

/** A code as it is stored, however it was typed. */
export function recoveryHash({ vault }: Pick<AppDeps, 'vault'>, personId: string, code: string): string {
  return vault.hashSecret(`recovery ${personId} ${code.toLowerCase().replaceAll(/[^0-9a-f]/g, '')}`)
}
