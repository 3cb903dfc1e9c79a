import type { AdmittedPerson } from '../../rate-limit/person-admission.ts'

/** A session as its cookie names it, and what follows from that. */
export interface SessionToken {
  /** Of what the cookie holds, as it is stored. */
  hash: string
  /** What the pages send with every change. No other origin can read it, and it tells nothing of the cookie. */
  csrfToken: string
}

/** The person of a request, with the session. */
export interface SignedIn extends Omit<AdmittedPerson, 'member' | 'usage'> {
  token: SessionToken
}
