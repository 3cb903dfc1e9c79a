/** `test-` says that the caller means the sandbox; a secret key decides by itself. */
const PROJECT_ID = /^(test-)?(proj_[0-9A-Za-z]{1,64})$/

/** Longer than any secret key; what is longer is not hashed. */
const SECRET_LENGTH_MAX = 128

export interface Credentials {
  /** Without the prefix. */
  projectId: string
  /** Empty where a client calls, who has none. */
  secret: string
  meansSandbox: boolean
}

/** Reads HTTP Basic; null where the header is missing, or is nothing that could be right. */
export function readCredentials(header: string): Credentials | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const project = PROJECT_ID.exec(text.slice(0, Math.max(colon, 0)))
  const secret = text.slice(colon + 1)
  if (project?.[2] === undefined || secret.length > SECRET_LENGTH_MAX) return null
  return { projectId: project[2], secret, meansSandbox: project[1] !== undefined }
}
