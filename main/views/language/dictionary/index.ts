import { animals } from "./animals.ts";
import { body } from "./body.ts";
import { food } from "./food.ts";
import { home } from "./home.ts";
import { leisure } from "./leisure.ts";
import { money } from "./money.ts";
import { nature } from "./nature.ts";
import { people } from "./people.ts";
import { qualities } from "./qualities.ts";
import { times } from "./times.ts";
import { tools } from "./tools.ts";
import { travel } from "./travel.ts";
import { verbs } from "./verbs.ts";
import { moreVerbs } from "./verbs-m-z.ts";
import { work } from "./work.ts";

/**
 * What everyday words are called in the other language. One meaning a line: English words, " = ", German words; a word of
 * several meanings stands in a line of each. Forms that endings make need no mention (`lookup.ts` takes endings off),
 * irregular ones do ("run ran = laufen lief"). "_" joins what is written apart ("washing_machine").
 */
export const themes: Readonly<Record<string, string>> = {
  animals,
  body,
  food,
  home,
  leisure,
  money,
  nature,
  people,
  qualities,
  times,
  tools,
  travel,
  verbs,
  moreVerbs,
  work,
};

/** Words as they are listed, lower case. */
export interface Meaning {
  readonly en: readonly string[];
  readonly de: readonly string[];
}

/** Every line, in the order of the themes. */
export function readMeanings(): Meaning[] {
  return Object.values(themes).flatMap((theme) =>
    theme
      .trim()
      .split("\n")
      .map((line) => {
        const [en = "", de = ""] = line.split(" = ");
        return { en: en.split(" "), de: de.split(" ") };
      }),
  );
}
