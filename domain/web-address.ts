/** Parsers of addresses take `http:///ok` and `http:ok` for the host `ok`, which nobody means. */
export const namesHost = (address: string): boolean => /^https?:\/\/[^/?#\\]/i.test(address)
