export type Strength = "weak" | "fair" | "strong";

/**
 * A rough lower guess of how hard a passphrase is to guess: characters that repeat or follow in a row count for
 * little, and the character classes give the alphabet. It only advises; the core decides what it accepts.
 */
export function passphraseStrength(passphrase: string): Strength {
  const points = [...passphrase].map((character) => character.codePointAt(0) ?? 0);
  const counted = points.filter((point, index) => {
    const before = points[index - 1];
    return before === undefined || Math.abs(point - before) > 1;
  });
  const distinct = new Set(counted).size;
  let alphabet = 0;
  if (/[a-z]/.test(passphrase)) alphabet += 26;
  if (/[A-Z]/.test(passphrase)) alphabet += 26;
  if (/\d/.test(passphrase)) alphabet += 10;
  if (/[^a-zA-Z\d]/.test(passphrase)) alphabet += 20;
  const effective = Math.min(counted.length, distinct * 2);
  // Written words carry less than random letters: somewhat over half of the bits is kept.
  const bits = (effective * Math.log2(Math.max(2, alphabet))) / 1.8;
  if (passphrase.length < 10 || bits < 28) return "weak";
  return bits < 48 ? "fair" : "strong";
}
