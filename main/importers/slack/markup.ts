import { withEmoji } from "./short-codes.ts";

/** How ids are shown in texts. */
export interface Names {
  readonly user: (id: string) => string | null;
  readonly channel: (id: string) => string | null;
}

/** Only these three are escaped in Slack's texts. */
export function unescapeText(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/**
 * A text as Slack shows it: `<@U1>`, `<#C1|books>`, `<!here>`, `<https://…|label>` by their names, entities and short
 * codes as signs; asterisks and underscores stay. Addresses that a label hides come as `links`.
 */
export function plainText(text: string, names: Names): { readonly text: string; readonly links: string[] } {
  const links: string[] = [];
  const shown = text.replace(/<([^<>\n]{1,4000})>/g, (whole, inside: string) => {
    const bar = inside.indexOf("|");
    const target = bar < 0 ? inside : inside.slice(0, bar);
    const label = bar < 0 ? "" : inside.slice(bar + 1);
    const id = target.slice(1);
    if (target.startsWith("@")) return `@${names.user(id) ?? (label.replace(/^@/, "") || id)}`;
    if (target.startsWith("#")) return `#${label.replace(/^#/, "") || (names.channel(id) ?? id)}`;
    if (target.startsWith("!")) return command(id, label);
    if (/^mailto:/i.test(target)) return label || target.slice(7);
    if (/^tel:/i.test(target)) return label || target.slice(4);
    if (!/^[a-z][a-z0-9+.-]*:/i.test(target)) return whole;
    const bare = target.replace(/^[a-z]+:\/\//i, "").replace(/\/$/, "");
    if (label === "" || label.replace(/^[a-z]+:\/\//i, "").replace(/\/$/, "") === bare) return target;
    links.push(unescapeText(target));
    return label;
  });
  return { text: withEmoji(unescapeText(shown)), links };
}

/** `<!here>`, `<!subteam^S1|@team>`, `<!date^1392734382^{date}|18 February>`. */
function command(id: string, label: string): string {
  if (label !== "") return label;
  const [word = ""] = id.split("^");
  return `@${word}`;
}
