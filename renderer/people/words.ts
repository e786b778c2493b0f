import type { PersonJoin, PersonSuggestions } from "#contract";

/** Why two are taken for one person, as one would say it. */
export function joinWords({ rule, region }: Pick<PersonJoin, "rule" | "region">): string {
  switch (rule) {
    case "contact-card":
      return "One contact card holds both";
    case "address-book-name":
      return "The chat takes its names from the address book, and one card there has this name";
    case "phone":
      return `Two spellings of one number${region === null ? "" : `, read as in ${regionName(region)}`}`;
    case "owner":
      return "Both are said to be you";
    case "person":
      return "You said so";
  }
}

export const suggestionWords: Readonly<Record<PersonSuggestions["pairs"][number]["why"], string>> = {
  "same-name": "The same name in two places",
  "first-name": "The only full name that begins so",
};

function regionName(region: string): string {
  return new Intl.DisplayNames(["en"], { type: "region", fallback: "code" }).of(region) ?? region;
}
