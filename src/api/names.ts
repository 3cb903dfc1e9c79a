/** Names of an object by its name in answers, such as `webhook_endpoint`: in programs, in the document, in sentences. */
export const camel = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
export const pascal = (name: string) => camel(`_${name}`)
export const words = (name: string) => name.replaceAll('_', ' ')
export const oneOf = (name: string) => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${words(name)}`
