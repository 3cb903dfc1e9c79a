/**
 * A model of the client library as the JSON that is sent or received: enums become the words they stand for, so that a
 * request written by hand is checked by the compiler against Adyen's own types.
 */
export type Json<T> = T extends string
  ? `${T}`
  : T extends Date
    ? string
    : T extends readonly (infer E)[]
      ? Json<E>[]
      : T extends object
        ? { [K in keyof T]: Json<T[K]> }
        : T

/** The same JSON as the library's type, which differs in nothing but its enums. */
export function toModel<T>(json: Json<T>): T {
  return json as unknown as T
}
