import type { Examples } from '../../http/endpoint.ts'

/** The one example of an answer that shows objects. */
export const shown = (objects: object): Readonly<Record<number, Examples>> => ({ 200: { example: body(objects) } })

/** The body of an answer with 200. */
export const body = (objects: object): object => ({ success: true, ...objects })
