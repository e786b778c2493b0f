/** Names that an export tells, by id. */
export interface Names {
  readonly users: ReadonlyMap<string, string>;
  readonly channels: ReadonlyMap<string, string>;
  readonly roles: ReadonlyMap<string, string>;
}

/** Marks of a message's content as they are shown: people, channels, roles, emoji, commands and times by their names. */
export function shownText(content: string, names: Names): string {
  if (!content.includes("<")) return content;
  return content
    .replace(/<@!?(\d{1,20})>/g, (_, id: string) => `@${names.users.get(id) ?? id}`)
    .replace(/<@&(\d{1,20})>/g, (_, id: string) => `@${names.roles.get(id) ?? id}`)
    .replace(/<#(\d{1,20})>/g, (_, id: string) => `#${names.channels.get(id) ?? id}`)
    .replace(/<a?:(\w{1,64}):\d{1,20}>/g, ":$1:")
    .replace(/<\/([^:<>]{1,100}):\d{1,20}>/g, "/$1")
    .replace(
      /<t:(-?\d{1,13})(?::([tTdDfFsSR]))?>/g,
      (all, seconds: string, style?: string) => shownTime(Number(seconds), style) ?? all,
    );
}

/** In UTC, since the text is the same for whoever reads it. */
function shownTime(seconds: number, style: string | undefined): string | null {
  if (!Number.isFinite(seconds) || Math.abs(seconds) > 8e12 / 1000) return null;
  const iso = new Date(seconds * 1000).toISOString();
  const [day, clock] = [iso.slice(0, 10), iso.slice(11, 16)];
  if (style === "t" || style === "T") return `${style === "T" ? iso.slice(11, 19) : clock} UTC`;
  return style === "d" || style === "D" ? day : `${day} ${clock} UTC`;
}
