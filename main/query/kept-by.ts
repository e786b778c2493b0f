import type { Language } from "../views/language/index.ts";

/** The same for a number, for as long as the function is held. */
export function keptById<T>(make: (id: number) => T): (id: number) => T {
  const known = new Map<number, T>();
  return (id) => {
    const found = known.get(id) ?? make(id);
    known.set(id, found);
    return found;
  };
}

/** The same of an object in one language and in the other. */
export function keptByLanguage<Of, T>(
  key: (of: Of) => object,
  make: (of: Of, language: Language) => T,
): (of: Of, language: Language) => T {
  const known = { en: keptBy(key, (of) => make(of, "en")), de: keptBy(key, (of) => make(of, "de")) };
  return (of, language) => known[language](of);
}

/** What is the same for one object, however often it is asked for, worked out once for as long as the object is held. */
export function keptBy<Of, T>(key: (of: Of) => object, make: (of: Of) => T): (of: Of) => T {
  const known = new WeakMap<object, { readonly value: T }>();
  return (of) => {
    const found = known.get(key(of));
    if (found) return found.value;
    const value = make(of);
    known.set(key(of), { value });
    return value;
  };
}
