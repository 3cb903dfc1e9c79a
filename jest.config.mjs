/** The configuration of `npm test`. Jest runs the same modules that Node runs: Node loads them and strips the types. */
export default {
  roots: ['<rootDir>/test', '<rootDir>/clients'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...(namesLongFile() ? [] : ['\\.long\\.test\\.ts$'])],
  testEnvironment: 'node',
  injectGlobals: false,
  // Loads the modules in Node and not in contexts of Jest's, which takes twice the time.
  testRunner: '<rootDir>/test/support/native/run-file.mjs',
  transform: {},
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // On two cores: tests wait for databases, browsers and processes that start. With a sixth worker those that deploy
  // versions wait too long for theirs. `npm test` gives each 64 MB for new objects (`--max-semi-space-size`), since most of
  // what a test makes is garbage at once: 8 % less CPU than with 16 MB.
  maxWorkers: 5,
  // A process that has nothing to wait for ends within milliseconds. A busy machine takes a second to free its memory, for
  // half of which Jest would wait before it says that something was left open.
  workerGracefulExitTimeout: 20_000,
  // No test depends on the speed of the machine: this ends what hangs, downloads and builds included.
  testTimeout: 1_200_000,
}

/** A long test runs only in `npm run test:all`, and where it is asked for by its name. */
function namesLongFile() {
  return process.argv.some((argument) => argument.endsWith('.long.test.ts'))
}
