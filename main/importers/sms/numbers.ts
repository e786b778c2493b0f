import { createRequire } from "node:module";
import type { CountryCode } from "libphonenumber-js/min";

type Phones = typeof import("libphonenumber-js/min");
const load = createRequire(import.meta.url);
let phones: Phones | null = null;

/** Loaded with the first number: the tables take 17 MB in each thread, and most threads never see one. */
function parsePhoneNumber(...given: Parameters<Phones["parsePhoneNumberFromString"]>) {
  if (!phones) {
    const loaded: Phones = load("libphonenumber-js/min");
    phones = loaded;
  }
  return phones.parsePhoneNumberFromString(...given);
}

/**
 * Phone numbers as keys. One number is written in many ways ("(555) 010-0333", "+15550100333"); a national one means
 * something only with its country, which a backup does not tell: the country of most of its international numbers.
 */

/** Separators of numbers as people and phones write them. */
const marks = /[\s().\-\u2010-\u2015\u00a0\u202f/]/g;

/** Digits with a `+` where there was one; null for what is no number ("BANKINFO", "me@example.org"). */
function bare(raw: string): string | null {
  const text = raw.replace(marks, "");
  return /^\+?[\d*#]{1,20}$/.test(text) ? text : null;
}

/** Collects the numbers of one backup; after that gives a key to each spelling. */
export class NumberBook {
  readonly #countries = new Map<CountryCode, number>();
  readonly #international = new Set<string>();
  /** The same by their last seven digits. */
  readonly #byTail = new Map<string, string[]>();
  readonly #names = new Map<string, string>();
  readonly #keys = new Map<string, string>();

  add(raw: string): void {
    const text = bare(raw);
    if (text === null || !text.startsWith("+") || this.#international.has(text)) return;
    if (this.#international.size >= 200_000) return;
    this.#international.add(text);
    const tail = text.slice(-7);
    const alike = this.#byTail.get(tail) ?? [];
    if (alike.length < 50) this.#byTail.set(tail, [...alike, text]);
    const country = parsePhoneNumber(text)?.country;
    if (country !== undefined) this.#countries.set(country, (this.#countries.get(country) ?? 0) + 1);
  }

  /** The name that the phone's contacts have for a number. To be called after all numbers were added. */
  addName(raw: string, name: string): void {
    const key = this.keyOf(raw);
    if (!this.#names.has(key) && this.#names.size < 200_000) this.#names.set(key, name);
  }

  nameOf(raw: string): string | null {
    return this.#names.get(this.keyOf(raw)) ?? null;
  }

  /** Equal for spellings of one number: `+15550100333`; letters in lower case, short numbers as they are. */
  keyOf(raw: string): string {
    const known = this.#keys.get(raw);
    if (known !== undefined) return known;
    const key = this.#find(raw);
    if (this.#keys.size < 200_000) this.#keys.set(raw, key);
    return key;
  }

  #find(raw: string): string {
    const text = bare(raw);
    if (text === null) return raw.trim().toLowerCase().slice(0, 320);
    if (text.startsWith("+") || text.length < 7) return text;
    // The same number with its country's code stands in the backup too.
    const digits = text.replace(/^(?:00|0)/, "");
    const ending =
      digits.length < 7 ? [] : (this.#byTail.get(digits.slice(-7)) ?? []).filter((one) => one.endsWith(digits));
    const [only] = ending;
    if (only !== undefined && ending.length === 1) return only;
    const number = parsePhoneNumber(text, this.#country());
    return number?.isPossible() ? number.number : text;
  }

  #country(): CountryCode | undefined {
    return [...this.#countries].sort((a, b) => b[1] - a[1])[0]?.[0];
  }
}

/** The last digits of a number, which no spelling changes: for identities, that must not depend on the rest of a backup. */
export function tailOf(raw: string | null): string {
  if (raw === null) return "";
  const text = bare(raw);
  return text === null ? raw.trim().toLowerCase() : text.replace(/\D/g, "").slice(-7);
}
