/**
 * What scripted models do, by their input:
 * `exit` ends the thread; `exit-once:N` does so the first time; `throw`; `reject` leaves a rejection that nobody handles;
 * `spin` never gives the thread back; `never` never answers; `gate:N` holds the thread until gate N is opened.
 * Everything else is answered.
 */

/** Places in the memory that the test and the threads share. */
export const cells = { gates: 0, firsts: 8, copies: 16, mostCopies: 17, opening: 18, never: 19, size: 20 } as const;

export interface ScriptedData {
  readonly state: Int32Array;
  /** File with a line for everything that was done. */
  readonly log: string;
}

/** A vector that tells texts apart. */
export function scriptedVector(text: string): Float32Array {
  let sum = 7;
  for (const code of new TextEncoder().encode(text)) sum = (sum * 31 + code) % 9973;
  return Float32Array.of(sum, text.length, 1, 0);
}
