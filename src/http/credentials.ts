/** The prefix `test-` selects the sandbox for clients; a secret key has its own environment. */
const PROJECT_ID = /^(test-)?(proj_[0-9A-Za-z]{1,64})$/

/** Longer than any secret key; a longer text is not hashed. */
const SECRET_LENGTH_MAX = 128

export interface Credentials {
  /** Without the prefix. */
  projectId: string
  /** Empty for a client, who has no secret. */
  secret: string
  meansSandbox: boolean
}

/** Reads HTTP Basic; null for a missing or invalid header. */
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
