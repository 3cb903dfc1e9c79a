/** The project and environment whose rows a query may see; every query on behalf of a merchant carries one. */
export interface Scope {
  projectId: string
  sandbox: boolean
}
