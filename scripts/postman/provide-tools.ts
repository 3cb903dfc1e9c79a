import { npmTools } from '../npm-tools.ts'

/** The folder with Postman's converter and runner. */
export const providePostmanTools = (): Promise<string> => npmTools('postman', new URL('tools/', import.meta.url))
