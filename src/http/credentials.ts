const PROJECT_ID = /^(test-)?(proj_[0-9A-Za-z]{1,64})$/

/**
 * The project that a text names; null where it names none. The prefix `test-` selects the sandbox, for clients and people; a
 * secret key has its own environment.
 */
export function projectNamed(text: string): Pick<Credentials, 'projectId' | 'meansSandbox'> | null {
  const [, test, projectId] = PROJECT_ID.exec(text) ?? []
  return projectId === undefined ? null : { projectId, meansSandbox: test !== undefined }
}

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
  const project = projectNamed(text.slice(0, Math.max(colon, 0)))
  const secret = text.slice(colon + 1)
  return project === null || secret.length > SECRET_LENGTH_MAX ? null : { ...project, secret }
}
