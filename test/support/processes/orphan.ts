/** Loaded before a program of the run: ends it when the run is gone, which had no time to do so where it was killed. */
const POLL_MS = 500

const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.exit(1)
}, POLL_MS).unref()
