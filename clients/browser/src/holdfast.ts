/** The library as a classic script: it defines the global `Holdfast`. */
import { createClientClass } from './client.ts'

const { currentScript } = document

export const Client = createClientClass(currentScript instanceof HTMLScriptElement ? currentScript.src : null)
export { HoldfastError } from './errors.ts'
