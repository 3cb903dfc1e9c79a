/** Whose rows a question may see. Every question on behalf of a merchant carries one. */
export interface Scope {
  projectId: string
  sandbox: boolean
}
