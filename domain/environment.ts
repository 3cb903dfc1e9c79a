/** The two environments of a project, which share no data. The name is also that of the Temporal namespace. */
export type Environment = 'live' | 'sandbox'

export const ENVIRONMENTS: readonly Environment[] = ['live', 'sandbox']

/** Rows carry the environment as a flag. */
export function environmentOf(sandbox: boolean): Environment {
  return sandbox ? 'sandbox' : 'live'
}
