/** Caps on untrusted input. One place, so that nobody wonders what the limit is. */
export const limits = {
  /** Largest single mail message, bytes. */
  messageBytes: 64 * 1024 * 1024,
  /** Largest text kept of one record, characters; the rest stays in the source and a warning says so. */
  textChars: 2_000_000,
  /** Largest chat text file, bytes. */
  chatBytes: 512 * 1024 * 1024,
  /** Largest picture, pixels. */
  picturePixels: 268_402_689,
  pictureBytes: 256 * 1024 * 1024,
  /** Depth of nested MIME parts and of folders in a tree. */
  depth: 64,
  /** Entries of one tree. */
  entries: 2_000_000,
  /** Members of one zip, and unpacked/packed ratio above which a member is a bomb. */
  zipMembers: 500_000,
  zipRatio: 1_000,
  /** Unpacked bytes of one zip member. */
  zipMemberBytes: 64 * 1024 * 1024 * 1024,
} as const;
