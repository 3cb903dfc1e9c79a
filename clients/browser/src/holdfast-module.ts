/** The library as a module. A bundler makes it part of another script, whose address says nothing about the API. */
import { createClientClass } from './client.ts'

export const Client = createClientClass(import.meta.url)
export { HoldfastError } from './errors.ts'
