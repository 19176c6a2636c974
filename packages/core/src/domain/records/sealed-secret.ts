/** A secret as the default vault stores it, sealed with AES-256-GCM. */
export interface SealedSecret {
  id: string;
  /** Id of the vault key that sealed it. */
  key_id: string;
  /** 96 random bits, base64. */
  nonce: string;
  /** Ciphertext and the 128-bit tag behind it, base64. */
  ciphertext: string;
  created_at: string;
}
