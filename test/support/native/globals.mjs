/**
 * What tests import as `@jest/globals`. Bindings that change: every test file has its own tests and hooks in Jest, and a
 * module that several files share must speak to the file that runs.
 */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test

/** Where Circus looks for the time-out of the tests of a file. */
export const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL')

/** Of Jest's object what works without its loading of modules. */
export const jest = {
  setTimeout(milliseconds) {
    globalThis[TIMEOUT] = milliseconds
  },
}

export function setGlobals(globals) {
  ;({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globals)
}
