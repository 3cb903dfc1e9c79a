/** Keys that replace one another: new texts are encrypted with `current`, and each ciphertext names its key. */
export interface KeyRing {
  current: string
  /**
   * By key id, in the order in which they were given; 32 bytes each. A map, because an object would put an id of digits
   * before all others, and could not have one that is called as something that every object has.
   */
  keys: ReadonlyMap<string, Buffer>
}

/**
 * One key for each purpose, so that losing one does not lose another. 32 bytes each. The rings may be replaced while they
 * are in use; they are read again each time something is encrypted or decrypted.
 */
export interface Keys {
  /** Encrypts card numbers at rest. */
  cardNumber: KeyRing
  /** Encrypts security codes for the hour at most that they are kept. */
  securityCode: KeyRing
  /** Encrypts what Temporal keeps of payments and webhooks; see `src/temporal/payload-codec.ts`. */
  payload: KeyRing
  /** Makes equal card numbers of a project comparable; it does not rotate with the encryption keys. */
  fingerprint: Buffer
  /** Hashes the secret keys of projects. */
  apiSecretHash: Buffer
  /** Derives the client secret of an invoice. */
  clientSecret: Buffer
}
