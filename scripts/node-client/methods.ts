import { ENDPOINTS } from '../../src/api/endpoints.ts'

/** The method of the client for Node that carries out each operation, by the operation's id. */
export const METHODS: Readonly<Record<string, string>> = Object.fromEntries(
  ENDPOINTS.flatMap(({ id, method }) => (method === null ? [] : [[id, method]])),
)
